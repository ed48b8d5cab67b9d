# SPDX-FileCopyrightText: 2026 Ulpscope contributors
# SPDX-License-Identifier: GPL-3.0-or-later
# bash completion for ulpscope-cli

_ulpscope_cli()
{
    local cur=${COMP_WORDS[COMP_CWORD]}
    local prev=${COMP_WORDS[COMP_CWORD-1]}
    local commands="run sweep score compare report info verify tokenize bench selfcheck"
    local policies="ordered atomic atomic-add thread-split batch-split kahan exact vendor"
    local model="--model"
    local prompt="--prompt --prompt-file --tokens --special --chat --system"
    local settings="--policy --op-policy --threads --batch --prefill-chunk --reduction-chunk --isa
        --device --activation"
    local generation="--steps --seed --temperature --top-k --top-p --min-p --repeat-penalty
        --repeat-last-n --logit-bias --ignore-eos --companions --cache"
    local recording="--keep-logits --keep-reference --out --overwrite"
    local output="--json --help"
    local command=${COMP_WORDS[1]}
    local words=

    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$commands --help --version" -- "$cur"))
        return
    fi
    case $prev in
        --policy) words=$policies ;;
        --isa) words="auto portable avx2 avx512" ;;
        --device) words="cpu" ;;
        --activation) words="f32 bf16 f16" ;;
        --format) words="html json csv" ;;
        --keep-reference) words="auto off" ;;
        --companions) words="steady joining" ;;
        --cache) words="cold reused" ;;
        --model)
            compopt -o filenames
            COMPREPLY=($(compgen -f -X '!*.gguf' -- "$cur") $(compgen -d -- "$cur"))
            return ;;
        --prompt-file | --file | --out)
            compopt -o filenames
            COMPREPLY=($(compgen -f -- "$cur"))
            return ;;
    esac
    if [[ -n $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    case $command in
        run) words="$model $prompt $settings $generation --runs --no-hash --perturb $recording --progress
            $output" ;;
        sweep) words="$model $prompt --axis --runs --extra-runs $settings $generation --no-hash $recording
            --progress $output" ;;
        score) words="$model $prompt $settings --top --progress $output" ;;
        compare | verify | info) words="$output" ;;
        report) words="--format --out $output" ;;
        tokenize) words="$model --text --file --no-bos --special $output" ;;
        bench) words="$model --threads --prompt-tokens --gen-tokens --repetitions --policy --no-hash
            --price --progress $output" ;;
        selfcheck) words="--progress $output" ;;
    esac
    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    compopt -o filenames
    case $command in
        compare | verify | report) COMPREPLY=($(compgen -f -X '!*.ulp' -- "$cur") $(compgen -d -- "$cur")) ;;
        info) COMPREPLY=($(compgen -f -- "$cur")) ;;
    esac
}
complete -F _ulpscope_cli ulpscope-cli
