// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/system_error.h"

#include <cerrno>
#include <cstring>

namespace permafrost {
namespace {

const char* what_to_do(int number) {
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return "; check the path";
    case EACCES:
    case EPERM:
        return "; change the permissions, or choose another place";
    case EROFS:
        return "; choose another place";
    case EISDIR:
        return "; name a file in it";
    case ENOSPC:
    case EDQUOT:
        return "; free some space, or choose another place";
    case EFBIG:
        return "; raise the limit on file sizes, or choose another place";
    case ENAMETOOLONG:
        return "; choose a shorter name";
    case ELOOP:
        return "; its symbolic links lead round in a circle";
    case EMFILE:
    case ENFILE:
        return "; close other files or programs";
    case EIO:
        return "; the disk may be failing, choose another";
    default:
        return "";
    }
}

} // namespace

Error system_error(const std::string& what, const std::filesystem::path& path, int number) {
    return Error{what + " " + path.string() + ": " + std::strerror(number) + what_to_do(number)};
}

} // namespace permafrost
