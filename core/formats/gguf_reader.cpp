// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/gguf_contents.h"
#include "core/formats/tensor_table.h"

#include <algorithm>
#include <bit>

namespace permafrost::formats {
namespace {

// Numbers of an array are widened to 64 bits, so that a hostile file could ask for eight times its size: real
// models have a vocabulary's worth of elements in a few keys (1 million at most).
constexpr std::uint64_t max_array_elements = std::uint64_t{1} << 25;

// The least bytes that an entry takes, to check counts before anything is allocated.
constexpr std::uint64_t smallest_key = 8 + 4 + 1;
constexpr std::uint64_t smallest_tensor = 8 + 4 + 4 + 8;

class GgufReader {
  public:
    GgufReader(ByteSpan bytes, std::string location)
        : bytes_(bytes), reader_(bytes), location_(std::move(location)) {}

    Result<void> read_header();
    Result<Metadata> read_metadata();
    Result<std::vector<tensor::TensorView>> read_tensors(const Metadata& metadata);

  private:
    struct TensorEntry {
        std::string name;
        tensor::ElementType type;
        std::vector<std::uint64_t> shape;
        std::uint64_t offset;
    };

    Error refused(const std::string& why) const { return Error{location_ + ": " + why}; }
    Error truncated(const std::string& where) const {
        return refused("the file ends inside " + where + " (at byte " + std::to_string(reader_.position()) +
                       "): it is truncated or damaged");
    }
    Result<std::string> read_string(const std::string& where);
    Result<Value> read_value(ValueType type, const std::string& where);
    Result<Value> read_array(const std::string& where);
    Result<std::vector<std::string>> read_strings(std::uint64_t count, const std::string& where);
    Result<TensorEntry> read_tensor_entry(std::uint64_t number);
    Result<std::uint64_t> alignment(const Metadata& metadata) const;

    template <class T>
    Result<T> read(const std::string& where) {
        if (const auto value = reader_.read<T>()) return *value;
        return truncated(where);
    }
    template <class Wide, class T>
    Result<Value> read_scalar(ValueType type, const std::string& where) {
        PERMAFROST_TRY(const T value, read<T>(where));
        return Value{type, static_cast<Wide>(value)};
    }
    template <class Wide, class T>
    Result<Value> read_numbers(ValueType element, std::uint64_t count, const std::string& where) {
        if (count > reader_.remaining() / sizeof(T)) return truncated(where);
        std::vector<Wide> list(static_cast<std::size_t>(count));
        for (auto& number : list) number = static_cast<Wide>(*reader_.read<T>());
        return Value{ValueType::Array, ValueArray{element, std::move(list)}};
    }

    ByteSpan bytes_;
    ByteReader reader_;
    std::string location_;
    std::uint64_t tensor_count_ = 0;
    std::uint64_t key_count_ = 0;
    std::uint64_t array_elements_ = 0;
};

Result<void> GgufReader::read_header() {
    const auto magic = reader_.read_bytes(4);
    if (!magic || text_of(*magic) != "GGUF") return refused("not a GGUF file: it does not begin with GGUF");
    PERMAFROST_TRY(const auto version, read<std::uint32_t>("its header"));
    if (version != 0 && (version & 0xffffu) == 0)
        return refused("a big-endian GGUF; only little-endian files can be read, convert it with llama.cpp's "
                       "gguf_convert_endian.py");
    if (version == 1)
        return refused(
            "GGUF version 1, an early format that is no longer used; convert the original model again "
            "with llama.cpp's convert_hf_to_gguf.py");
    if (version != 2 && version != 3)
        return refused("GGUF version " + std::to_string(version) + " is not known; versions 2 and 3 are");
    PERMAFROST_TRY(tensor_count_, read<std::uint64_t>("its header"));
    PERMAFROST_TRY(key_count_, read<std::uint64_t>("its header"));
    if (key_count_ > reader_.remaining() / smallest_key)
        return refused("claims " + std::to_string(key_count_) +
                       " keys, more than its size allows; it is damaged");
    if (tensor_count_ > reader_.remaining() / smallest_tensor)
        return refused("claims " + std::to_string(tensor_count_) +
                       " tensors, more than its size allows; it is damaged");
    return {};
}

Result<std::string> GgufReader::read_string(const std::string& where) {
    PERMAFROST_TRY(const auto length, read<std::uint64_t>(where));
    const auto text = reader_.read_bytes(length);
    if (!text) return truncated(where);
    return std::string(text_of(*text));
}

Result<std::vector<std::string>> GgufReader::read_strings(std::uint64_t count, const std::string& where) {
    if (count > reader_.remaining() / sizeof(std::uint64_t)) return truncated(where);
    std::vector<std::string> list;
    list.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        PERMAFROST_TRY(auto text, read_string(where));
        list.push_back(std::move(text));
    }
    return list;
}

Result<Value> GgufReader::read_array(const std::string& where) {
    PERMAFROST_TRY(const auto raw_type, read<std::uint32_t>(where));
    PERMAFROST_TRY(const auto count, read<std::uint64_t>(where));
    const auto element = static_cast<ValueType>(raw_type);
    if (element == ValueType::Array)
        return refused(where +
                       " is an array of arrays, which no known model uses and this program does not read");
    if (count > max_array_elements || array_elements_ + count > max_array_elements)
        return refused(where + " has " + std::to_string(count) + " elements; all arrays together may have " +
                       std::to_string(max_array_elements));
    array_elements_ += count;
    using U = std::uint64_t;
    using I = std::int64_t;
    switch (element) {
    case ValueType::U8:
        return read_numbers<U, std::uint8_t>(element, count, where);
    case ValueType::I8:
        return read_numbers<I, std::int8_t>(element, count, where);
    case ValueType::U16:
        return read_numbers<U, std::uint16_t>(element, count, where);
    case ValueType::I16:
        return read_numbers<I, std::int16_t>(element, count, where);
    case ValueType::U32:
        return read_numbers<U, std::uint32_t>(element, count, where);
    case ValueType::I32:
        return read_numbers<I, std::int32_t>(element, count, where);
    case ValueType::U64:
        return read_numbers<U, std::uint64_t>(element, count, where);
    case ValueType::I64:
        return read_numbers<I, std::int64_t>(element, count, where);
    case ValueType::F32:
        return read_numbers<double, float>(element, count, where);
    case ValueType::F64:
        return read_numbers<double, double>(element, count, where);
    case ValueType::Bool: {
        PERMAFROST_TRY(auto value, (read_numbers<U, std::uint8_t>(element, count, where)));
        for (auto& truth : std::get<std::vector<U>>(std::get<ValueArray>(value.data).values))
            truth = truth != 0;
        return value;
    }
    case ValueType::String: {
        PERMAFROST_TRY(auto list, read_strings(count, where));
        return make_value(std::move(list));
    }
    case ValueType::Array:
        break;
    }
    return refused(where + " is an array of unknown type " + std::to_string(raw_type));
}

Result<Value> GgufReader::read_value(ValueType type, const std::string& where) {
    using U = std::uint64_t;
    using I = std::int64_t;
    switch (type) {
    case ValueType::U8:
        return read_scalar<U, std::uint8_t>(type, where);
    case ValueType::I8:
        return read_scalar<I, std::int8_t>(type, where);
    case ValueType::U16:
        return read_scalar<U, std::uint16_t>(type, where);
    case ValueType::I16:
        return read_scalar<I, std::int16_t>(type, where);
    case ValueType::U32:
        return read_scalar<U, std::uint32_t>(type, where);
    case ValueType::I32:
        return read_scalar<I, std::int32_t>(type, where);
    case ValueType::U64:
        return read_scalar<U, std::uint64_t>(type, where);
    case ValueType::I64:
        return read_scalar<I, std::int64_t>(type, where);
    case ValueType::F32:
        return read_scalar<double, float>(type, where);
    case ValueType::F64:
        return read_scalar<double, double>(type, where);
    case ValueType::Bool: {
        PERMAFROST_TRY(const auto truth, read<std::uint8_t>(where));
        return make_value(truth != 0);
    }
    case ValueType::String: {
        PERMAFROST_TRY(auto text, read_string(where));
        return make_value(std::move(text));
    }
    case ValueType::Array:
        return read_array(where);
    }
    return refused(where + " has unknown type " + std::to_string(static_cast<std::uint32_t>(type)) +
                   "; it is damaged or newer than this program");
}

Result<Metadata> GgufReader::read_metadata() {
    Metadata metadata;
    for (std::uint64_t i = 0; i < key_count_; ++i) {
        PERMAFROST_TRY(auto key, read_string("the name of key " + std::to_string(i + 1)));
        const auto where = "key " + in_quotes(key);
        if (metadata.find(key)) return refused(where + " appears twice");
        PERMAFROST_TRY(const auto type, read<std::uint32_t>(where));
        PERMAFROST_TRY(auto value, read_value(static_cast<ValueType>(type), where));
        metadata.set(std::move(key), std::move(value));
    }
    return metadata;
}

Result<GgufReader::TensorEntry> GgufReader::read_tensor_entry(std::uint64_t number) {
    const auto where = "the entry of tensor " + std::to_string(number);
    TensorEntry entry;
    PERMAFROST_TRY(entry.name, read_string(where));
    PERMAFROST_TRY(const auto dimensions, read<std::uint32_t>(where));
    if (dimensions > max_dimensions)
        return refused("tensor " + in_quotes(entry.name) + " has " + std::to_string(dimensions) +
                       " dimensions, at most 4 are allowed");
    for (std::uint32_t i = 0; i < dimensions; ++i) {
        PERMAFROST_TRY(const auto extent, read<std::uint64_t>(where));
        entry.shape.push_back(extent);
    }
    std::reverse(entry.shape.begin(), entry.shape.end());
    PERMAFROST_TRY(const auto ggml_type, read<std::uint32_t>(where));
    const auto type = tensor::element_type_from_ggml(ggml_type);
    if (!type)
        return refused("tensor " + in_quotes(entry.name) + " is stored as " +
                       tensor::ggml_type_name(ggml_type) + ", which is not supported; supported are " +
                       tensor::known_element_types());
    entry.type = *type;
    PERMAFROST_TRY(entry.offset, read<std::uint64_t>(where));
    return entry;
}

Result<std::uint64_t> GgufReader::alignment(const Metadata& metadata) const {
    const Value* value = metadata.find("general.alignment");
    if (!value) return std::uint64_t{32};
    const auto* number = std::get_if<std::uint64_t>(&value->data);
    if (!number || !std::has_single_bit(*number))
        return refused("general.alignment must be a power of two; the file is damaged");
    if (*number > std::uint64_t{1} << 31) return refused("general.alignment is impossibly large");
    return *number;
}

Result<std::vector<tensor::TensorView>> GgufReader::read_tensors(const Metadata& metadata) {
    PERMAFROST_TRY(const auto aligned_to, alignment(metadata));
    std::vector<TensorEntry> entries;
    entries.reserve(static_cast<std::size_t>(tensor_count_));
    for (std::uint64_t i = 0; i < tensor_count_; ++i) {
        PERMAFROST_TRY(auto entry, read_tensor_entry(i + 1));
        entries.push_back(std::move(entry));
    }
    const auto begin = std::min<std::uint64_t>(align_up(reader_.position(), aligned_to), bytes_.size());
    TensorTable table(location_, bytes_.subspan(static_cast<std::size_t>(begin)), aligned_to);
    for (auto& entry : entries)
        PERMAFROST_CHECK(table.add(std::move(entry.name), entry.type, std::move(entry.shape), entry.offset));
    return table.finish();
}

Result<std::optional<SplitKeys>> take_split_keys(Metadata& metadata, const std::string& location) {
    constexpr const char *number = "split.no", *count = "split.count", *tensors = "split.tensors.count";
    for (const char* key : {number, count, tensors})
        if (metadata.find(key) && !metadata.unsigned_integer(key))
            return Error{location + ": key '" + key + "' is not a count; the file is damaged"};
    std::optional<SplitKeys> split;
    if (const auto parts = metadata.unsigned_integer(count)) {
        if (*parts > 1 && !metadata.find(number))
            return Error{location + ": one of " + std::to_string(*parts) +
                         " parts of a model, but its key '" + number + "' is missing; the file is damaged"};
        split = SplitKeys{metadata.unsigned_integer(number).value_or(0), *parts,
                          metadata.unsigned_integer(tensors)};
    }
    for (const char* key : {number, count, tensors}) metadata.remove(key);
    return split;
}

} // namespace

Result<GgufContents> parse_gguf(ByteSpan bytes, const std::string& location) {
    GgufReader reader(bytes, location);
    PERMAFROST_CHECK(reader.read_header());
    GgufContents contents;
    PERMAFROST_TRY(contents.metadata, reader.read_metadata());
    PERMAFROST_TRY(contents.tensors, reader.read_tensors(contents.metadata));
    PERMAFROST_TRY(contents.split, take_split_keys(contents.metadata, location));
    return contents;
}

} // namespace permafrost::formats
