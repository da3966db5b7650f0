// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/model_file.h"

#include "core/base/embedded_files.h"
#include "core/formats/gguf.h"
#include "core/formats/hugging_face.h"
#include "core/formats/knot.h"

#include <cstring>

namespace permafrost::formats {
namespace {

constexpr std::string_view supported =
    "supported are GGUF (.gguf), .knot/.rknot and Hugging Face folders (config.json and .safetensors)";

struct KnownMagic {
    std::string_view magic;
    std::string_view what;
};

constexpr KnownMagic other_formats[] = {
    {"FUGG", "a big-endian GGUF file"},
    {"lmgg", "a GGML file from before GGUF"},
    {"tjgg", "a GGJT file from before GGUF"},
    {"fmgg", "a GGMF file from before GGUF"},
    {"algg", "a GGLA adapter, not a model"},
    {"PK\x03\x04", "a ZIP archive (PyTorch checkpoints are such)"},
    {"\x89HDF", "an HDF5 file"},
    {"version https://git-lfs", "a Git LFS pointer: the model itself was not downloaded (run git lfs pull)"},
};

// safetensors: u64 length of a JSON object, then that object.
bool looks_like_safetensors(ByteSpan bytes) {
    ByteReader reader(bytes);
    const auto length = reader.read<std::uint64_t>();
    if (!length || *length < 2 || *length > reader.remaining()) return false;
    return text_of(bytes)[sizeof(std::uint64_t)] == '{';
}

// The Hugging Face folder that a .safetensors, or the index or configuration beside it, stands for.
std::optional<std::filesystem::path> folder_of_weights(const std::filesystem::path& path, ByteSpan bytes) {
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const auto name = path.filename();
    const bool weights = path.extension() == ".safetensors" && looks_like_safetensors(bytes);
    const bool description = name == "config.json" || name == "model.safetensors.index.json";
    if ((weights || description) && is_hugging_face_folder(folder)) return folder;
    return std::nullopt;
}

Error unsupported(ByteSpan bytes, const std::string& location) {
    const auto text = text_of(bytes);
    if (text.empty()) return Error{location + ": the file is empty; download or make it again"};
    const auto message = [&](std::string_view what) {
        return Error{location + ": " + std::string(what) + " cannot be opened as a model; " +
                     std::string(supported)};
    };
    for (const auto& known : other_formats)
        if (text.starts_with(known.magic)) return message(known.what);
    if (looks_like_safetensors(bytes))
        return text.find("permafrost.profile") != std::string_view::npos
                   ? Error{location + " is a profile, not a model; `mask` and `inspect` read profiles"}
                   : Error{location +
                           ": a .safetensors says nothing about the model it belongs to; put its config.json "
                           "and tokenizer.json beside it"};
    return message("a file of unknown format (it begins with neither GGUF nor KNOT)");
}

} // namespace

std::string_view name_of(FileFormat format) {
    switch (format) {
    case FileFormat::Gguf:
        return "GGUF";
    case FileFormat::Knot:
        return "knot";
    case FileFormat::Safetensors:
        return "safetensors";
    }
    return "unknown";
}

ModelFile::ModelFile(FileFormat format, std::string location, Metadata metadata,
                     std::vector<tensor::TensorView> tensors, std::string header_sha256,
                     std::shared_ptr<const void> storage)
    : format_(format), location_(std::move(location)), metadata_(std::move(metadata)),
      tensors_(std::move(tensors)), header_sha256_(std::move(header_sha256)), storage_(std::move(storage)) {
    index_.reserve(tensors_.size());
    for (std::size_t i = 0; i < tensors_.size(); ++i) index_.emplace(tensors_[i].name, i);
}

const tensor::TensorView* ModelFile::find(std::string_view name) const {
    const auto found = index_.find(std::string(name));
    return found == index_.end() ? nullptr : &tensors_[found->second];
}

Result<ModelFilePtr> open_model_file(const std::string& location) {
    if (location == "demo") return read_knot(embedded::demo_model(), location, nullptr);
    std::error_code ignored;
    if (std::filesystem::is_directory(location, ignored)) {
        if (is_hugging_face_folder(location)) return open_hugging_face(location);
        return Error{location + " is a folder without config.json; give the model file in it (" +
                     std::string(supported) + ")"};
    }
    PERMAFROST_TRY(auto file, MappedFile::open(location));
    const auto bytes = file->bytes();
    const auto magic = text_of(bytes).substr(0, 4);
    if (magic == "GGUF") return open_gguf(location, std::move(file));
    if (magic == "KNOT") return read_knot(bytes, location, std::move(file));
    if (const auto folder = folder_of_weights(location, bytes)) return open_hugging_face(*folder);
    return unsupported(bytes, location);
}

} // namespace permafrost::formats
