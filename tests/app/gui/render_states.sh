#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Renders every state of the inspector into a folder: light, dark, Chinese and at twice the scale.
#
#   tests/app/gui/render_states.sh BUILD FOLDER [--real]
#
# With --real, only sessions of the built-in model (they take as long as they take); these are the
# pictures of the README and the help.
set -euo pipefail

build=${1:?build folder}
folder=${2:?folder for the pictures}
program=$build/bin/render_states
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}

render() { # SUFFIX [options]
  local suffix=$1
  shift
  # The offscreen platform says a few things that it does not support; only our own words matter.
  "$program" "$folder" --suffix "$suffix" "$@" 2> >(grep -v 'This plugin does not support' >&2)
}

mkdir -p "$folder"
if [ "${3:-}" = --real ]; then
  render -light --real
  render -dark --real --theme dark
else
  render -light
  render -dark --theme dark
  render -zh --lang zh_CN
  QT_SCALE_FACTOR=2 render -2x
fi
ls "$folder"
