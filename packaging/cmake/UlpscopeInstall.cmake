# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
include(GNUInstallDirs)
install(TARGETS ulpscope-cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(ULPSCOPE_GUI AND TARGET ulpscope)
  install(TARGETS ulpscope RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
