# SPDX-License-Identifier: Apache-2.0
# scripts/package: a .deb for Debian 12 and a .tar.gz that runs from any directory, both with everything that
# cmake/StrobeInstall.cmake installs.
set(CPACK_PACKAGE_NAME strobe)
set(CPACK_PACKAGE_VENDOR "The Strobe authors")
set(CPACK_PACKAGE_CONTACT "The Strobe authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# For report, compare, explore and torture, for serve nbd, for qemu, for platforms that link the libraries, then for firmware images.
string(CONCAT CPACK_DEBIAN_PACKAGE_SUGGESTS
    "python3-venv, nbdkit, qemu-system-x86, ovmf, "
    "g++, cmake, pkg-config, libsystemc-dev, nlohmann-json3-dev, libboost-iostreams-dev, libboost-context-dev, libfmt-dev, libdw-dev, "
    "gcc-riscv64-unknown-elf, picolibc-riscv64-unknown-elf")
include(CPack)
