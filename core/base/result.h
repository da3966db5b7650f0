// SPDX-License-Identifier: GPL-3.0-or-later
//
// Errors are values: every function that can fail returns a Result. A cancelled piece of work is not an error, so
// it is a value of its own.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace permafrost {

/// What went wrong, where, and what to do about it: one sentence a person can act on.
struct Error {
    std::string message;
};

/// The work was stopped on request.
struct Cancelled {};

/// Why there is no value; converts into a failed Result of any type.
using Failure = std::variant<Error, Cancelled>;

/// A value of type T, or an Error, or Cancelled.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}
    Result(Cancelled) : state_(std::in_place_index<2>) {}
    Result(Failure failure) {
        if (auto* error = std::get_if<Error>(&failure))
            state_.template emplace<1>(std::move(*error));
        else
            state_.template emplace<2>();
    }

    bool ok() const { return state_.index() == 0; }
    bool cancelled() const { return state_.index() == 2; }

    T& value() & { return *checked(); }
    const T& value() const& { return *const_cast<Result*>(this)->checked(); }
    T value() && { return std::move(*checked()); }
    T* operator->() { return checked(); }
    const T* operator->() const { return const_cast<Result*>(this)->checked(); }

    /// The error's sentence; "cancelled" when the work was cancelled, empty when there is a value.
    std::string message() const {
        if (auto* error = std::get_if<1>(&state_)) return error->message;
        return cancelled() ? "cancelled" : "";
    }
    Failure failure() const {
        if (auto* error = std::get_if<1>(&state_)) return *error;
        assert(cancelled());
        return Cancelled{};
    }

  private:
    T* checked() {
        assert(ok());
        return std::get_if<0>(&state_);
    }
    std::variant<T, Error, Cancelled> state_{std::in_place_index<2>};
};

/// Success without a value, or an Error, or Cancelled.
template <>
class [[nodiscard]] Result<void> : public Result<std::monostate> {
  public:
    Result() : Result<std::monostate>(std::monostate{}) {}
    using Result<std::monostate>::Result;
};

} // namespace permafrost

#define PERMAFROST_JOIN_(a, b) a##b
#define PERMAFROST_JOIN(a, b) PERMAFROST_JOIN_(a, b)
#define PERMAFROST_TRY_(declaration, expression, temporary)                                                  \
    auto temporary = (expression);                                                                           \
    if (!temporary.ok()) return temporary.failure();                                                         \
    declaration = std::move(temporary).value()

/// PERMAFROST_TRY(auto model, open_model(path)): the value, or return the failure to the caller.
#define PERMAFROST_TRY(declaration, expression)                                                              \
    PERMAFROST_TRY_(declaration, expression, PERMAFROST_JOIN(result_of_line_, __LINE__))

/// PERMAFROST_CHECK(write(path)): go on, or return the failure to the caller.
#define PERMAFROST_CHECK(expression)                                                                         \
    do {                                                                                                     \
        if (auto checked_result = (expression); !checked_result.ok()) return checked_result.failure();       \
    } while (false)
