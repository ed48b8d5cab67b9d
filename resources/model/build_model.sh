#!/bin/sh
# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds ulpscope-stories.gguf from nothing: grammar, tokenizer, training, conversion, check.
#   sh build_model.sh [WORK_FOLDER [THREADS]]
# Needs Python 3.11 or newer with the packages of requirements.txt. Takes an hour or two on two CPU cores; run it
# again with the same folder to go on after a break.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=${1:-"${TMPDIR:-/tmp}/ulpscope-model"}
threads=${2:-2}
python=${PYTHON:-python3}
export PYTHONDONTWRITEBYTECODE=1
mkdir -p "$work"
[ -e "$work/tokenizer.model" ] || "$python" "$here/train_tokenizer.py" --work "$work"
# First a noisy start with large steps, then a draft of the copying heads, then a calm and longer rest.
[ -e "$work/start.done" ] || "$python" "$here/train.py" --work "$work" --name start --threads "$threads" --resume \
    --steps 3000 --until 1000 --short 2000 --batch 2 --lr 0.004
touch "$work/start.done"
[ -e "$work/start-copy.pt" ] || "$python" "$here/copy_head.py" --work "$work" --name start
[ -e "$work/model.pt" ] || cp "$work/start-copy.pt" "$work/model.pt"
"$python" "$here/train.py" --work "$work" --threads "$threads" --resume --steps 2800 --short 1500 --batch 4 --lr 0.001
"$python" "$here/convert.py" --work "$work" --out "$work/ulpscope-stories.gguf"
"$python" "$here/check_model.py" --work "$work" --model "$work/ulpscope-stories.gguf"
cp "$work/ulpscope-stories.gguf" "$here/ulpscope-stories.gguf"
