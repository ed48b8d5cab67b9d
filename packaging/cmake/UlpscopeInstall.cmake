# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
include(GNUInstallDirs)
install(TARGETS ulpscope-cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY "${ULP_DATA_DIR}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/ulpscope")
install(FILES packaging/man/ulpscope-cli.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)
install(FILES packaging/completions/ulpscope-cli.bash RENAME ulpscope-cli
  DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" OPTIONAL)
install(FILES packaging/completions/_ulpscope-cli
  DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" OPTIONAL)
install(FILES packaging/completions/ulpscope-cli.fish
  DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" OPTIONAL)
if(ULPSCOPE_GUI AND TARGET ulpscope)
  install(TARGETS ulpscope RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  install(FILES packaging/man/ulpscope.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)
  install(FILES packaging/ulpscope.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES packaging/ulpscope-mime.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
  install(FILES packaging/io.github.ulpscope.metainfo.xml
    DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
endif()
