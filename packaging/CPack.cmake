# SPDX-License-Identifier: GPL-3.0-or-later
# A Debian package of both programs, for the Debian release it is made on:
#   cmake -G Ninja -S . -B build-deb -DPERMAFROST_NATIVE=OFF -DPERMAFROST_TESTS=OFF && cmake --build build-deb
#   cd build-deb && cpack
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME permafrost)
set(CPACK_PACKAGE_VENDOR "Permafrost developers")
set(CPACK_PACKAGE_CONTACT "Permafrost developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "workbench for frozen neurons of language models")
set(CPACK_PACKAGE_DESCRIPTION
  "Permafrost runs a language model's feed-forward layers over real text, finds the neurons that stay frozen, lets
thresholds be dragged and shows at once what would be skipped, and exports masks.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS qt6-wayland)
# A package of code compiled for this very processor says so in its version.
set(CPACK_DEBIAN_PACKAGE_VERSION ${PROJECT_VERSION})
if(PERMAFROST_NATIVE)
  string(APPEND CPACK_DEBIAN_PACKAGE_VERSION +native)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
