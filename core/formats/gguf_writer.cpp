// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/gguf.h"
#include "core/formats/tensor_table.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace permafrost::formats {
namespace {

constexpr std::uint64_t default_alignment = 32;

class HeaderBuilder {
  public:
    template <class T>
    void put(T value) {
        header_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put_string(const std::string& text) {
        put(std::uint64_t{text.size()});
        header_ += text;
    }
    void put_value(const Value& value);
    void pad_to(std::uint64_t alignment) { header_.resize(align_up(header_.size(), alignment), '\0'); }
    const std::string& text() const { return header_; }

  private:
    void put_array(const ValueArray& array);
    void put_number(ValueType type, std::uint64_t number);
    void put_number(ValueType type, std::int64_t number) {
        put_number(type, static_cast<std::uint64_t>(number));
    }
    void put_number(ValueType type, double number);
    void put_number(ValueType, bool truth) { put(static_cast<std::uint8_t>(truth)); }
    void put_number(ValueType, const std::string& text) { put_string(text); }

    std::string header_;
};

void HeaderBuilder::put_number(ValueType type, std::uint64_t number) {
    switch (type) {
    case ValueType::U8:
    case ValueType::I8:
    case ValueType::Bool:
        put(static_cast<std::uint8_t>(number));
        break;
    case ValueType::U16:
    case ValueType::I16:
        put(static_cast<std::uint16_t>(number));
        break;
    case ValueType::U32:
    case ValueType::I32:
        put(static_cast<std::uint32_t>(number));
        break;
    default:
        put(number);
        break;
    }
}

void HeaderBuilder::put_number(ValueType type, double number) {
    if (type == ValueType::F32)
        put(static_cast<float>(number));
    else
        put(number);
}

void HeaderBuilder::put_array(const ValueArray& array) {
    put(static_cast<std::uint32_t>(array.element));
    put(std::uint64_t{array.size()});
    std::visit(
        [&](const auto& list) {
            for (const auto& element : list) put_number(array.element, element);
        },
        array.values);
}

void HeaderBuilder::put_value(const Value& value) {
    put(static_cast<std::uint32_t>(value.type));
    std::visit(
        [&](const auto& content) {
            if constexpr (std::is_same_v<std::decay_t<decltype(content)>, ValueArray>)
                put_array(content);
            else
                put_number(value.type, content);
        },
        value.data);
}

Result<std::uint64_t> alignment_of(const std::filesystem::path& target, const Metadata& metadata) {
    const Value* value = metadata.find("general.alignment");
    if (!value) return default_alignment;
    const auto* number = std::get_if<std::uint64_t>(&value->data);
    if (value->type != ValueType::U32 || !number || !std::has_single_bit(*number))
        return Error{"cannot write " + target.string() +
                     ": general.alignment must be a u32 and a power of two"};
    return *number;
}

} // namespace

Result<void> write_gguf(const std::filesystem::path& target, const Metadata& metadata,
                        const std::vector<OutgoingTensor>& tensors, const WriteControl& control) {
    PERMAFROST_CHECK(check_writable(target, tensors));
    PERMAFROST_TRY(const auto alignment, alignment_of(target, metadata));
    HeaderBuilder header;
    header.put(std::array{'G', 'G', 'U', 'F'});
    header.put(std::uint32_t{3});
    header.put(std::uint64_t{tensors.size()});
    header.put(std::uint64_t{metadata.entries().size()});
    for (const auto& [key, value] : metadata.entries()) {
        header.put_string(key);
        header.put_value(value);
    }
    std::uint64_t offset = 0;
    for (const auto& tensor : tensors) {
        const auto& view = tensor.view;
        header.put_string(view.name);
        header.put(static_cast<std::uint32_t>(view.shape.size()));
        std::for_each(view.shape.rbegin(), view.shape.rend(), [&](auto extent) { header.put(extent); });
        header.put(tensor::info(view.type).ggml_id);
        header.put(offset);
        offset = align_up(offset + tensor.size(), alignment);
    }
    header.pad_to(alignment);
    PERMAFROST_TRY(auto file, AtomicFile::create(target));
    PERMAFROST_CHECK(file.write(header.text()));
    PERMAFROST_CHECK(write_tensors(file, tensors, alignment, control));
    return file.commit();
}

Result<void> write_gguf(const std::filesystem::path& target, const Metadata& metadata,
                        const std::vector<tensor::TensorView>& tensors, const WriteControl& control) {
    return write_gguf(target, metadata, outgoing(tensors), control);
}

} // namespace permafrost::formats
