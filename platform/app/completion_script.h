#pragma once
// SPDX-License-Identifier: Apache-2.0
//
// The part of the completion script that is the same for every version (completion.h). The generated functions before
// it are
//   _strobe_command PATH         sets options, values (options that take one), commands, positional; 1 if there is none
//   _strobe_value PATH OPTION    sets kind
//   _strobe_words NAME           sets words: "scenarios", "keys", and the values of a key of a scenario
// A kind is file, directory, scenario, setting (KEY=VALUE), any (nothing is offered), or words that are offered as they
// are, in parentheses.

namespace strobe::platform {

constexpr const char* completionFunctions = R"script(
# Offers those of the words that begin with $1; $2 is put before each.
_strobe_offer() {
    local word
    for word in $words; do
        case $word in "$1"*) COMPREPLY+=("$2$word") ;; esac
    done
}

_strobe_files() { # KIND PREFIX
    local name flag=-f
    [ "$1" = directory ] && flag=-d
    compopt -o filenames 2>/dev/null
    while IFS= read -r name; do
        COMPREPLY+=("$2$name")
    done < <(compgen $flag -- "$3")
}

# A key of a scenario up to its next dot, then its value. The schema lists item 0 of a list; others are typed.
_strobe_setting() { # PREFIX TEXT
    local text=$2 key rest part words schema='' typed='' have=' '
    case $text in
    *=*)
        key=${text%%=*}
        rest=$key.
        while [ -n "$rest" ]; do
            part=${rest%%.*}
            rest=${rest#*.}
            case $part in *[!0-9]* | '') ;; *) part=0 ;; esac
            schema=$schema${schema:+.}$part
        done
        _strobe_words "$schema"
        _strobe_offer "${text#*=}" "$1$key="
        return
        ;;
    esac
    compopt -o nospace 2>/dev/null
    rest=$text
    while [ "$rest" != "${rest#*.}" ]; do # sections that are complete
        part=${rest%%.*}
        rest=${rest#*.}
        typed=$typed$part.
        case $part in *[!0-9]* | '') ;; *) part=0 ;; esac
        schema=$schema$part.
    done
    _strobe_words keys
    for key in $words; do
        case $key in "$schema$rest"*) ;; *) continue ;; esac
        part=${key#"$schema"}
        case $part in *.*) part=${part%%.*}. ;; *) part=$part= ;; esac
        case $have in *" $part "*) continue ;; esac
        have="$have$part "
        COMPREPLY+=("$1$typed$part")
    done
}

_strobe_kind() { # KIND PREFIX TEXT
    local words
    case $1 in
    file | directory) _strobe_files "$1" "$2" "$3" ;;
    scenario)
        _strobe_words scenarios
        _strobe_offer "$3" "$2"
        _strobe_files file "$2" "$3"
        ;;
    setting) _strobe_setting "$2" "$3" ;;
    \(*)
        words=${1#\(}
        words=${words%\)}
        _strobe_offer "$3" "$2"
        ;;
    esac
}

_strobe() {
    local IFS=$' \t\n' line=() word='' previous='' separator i
    COMPREPLY=()
    for ((i = 1; i <= COMP_CWORD; i++)); do # bash splits words at = and :
        word=${COMP_WORDS[i]}
        case $word in = | : | =* | :*) separator=yes ;; *) separator=no ;; esac
        case $previous in = | : | *[!\"\']= | *[!\"\']:) separator=yes ;; esac
        if [ $separator = yes ] && [ ${#line[@]} -gt 0 ]; then
            line[${#line[@]}-1]=${line[${#line[@]}-1]}$word
        else
            line[${#line[@]}]=$word
        fi
        previous=$word
    done
    local count=$((${#line[@]} - 1)) current=${line[${#line[@]}-1]} path='' option=''
    local options values commands positional kind words
    _strobe_command ''
    for ((i = 0; i < count; i++)); do
        word=${line[i]}
        if [ -n "$option" ]; then
            option=''
            continue
        fi
        case $word in
        -*=*) ;;
        -*) case " $values " in *" $word "*) option=$word ;; esac ;;
        *)
            case " $commands " in
            *" $word "*)
                path=$path${path:+ }$word
                _strobe_command "$path"
                ;;
            esac
            ;;
        esac
    done
    if [ -n "$option" ]; then
        _strobe_value "$path" "$option"
        _strobe_kind "$kind" '' "$current"
    else
        case $current in
        -*=*)
            _strobe_value "$path" "${current%%=*}"
            _strobe_kind "$kind" "${current%%=*}=" "${current#*=}"
            ;;
        -*)
            words=$options
            _strobe_offer "$current" ''
            ;;
        *)
            words=$commands
            _strobe_offer "$current" ''
            _strobe_kind "$positional" '' "$current"
            ;;
        esac
    fi
    case ${COMP_WORDBREAKS-} in *=*) ;; *) return 0 ;; esac
    word=${current%"${current##*[=:]}"} # bash replaces only what follows the last = or :
    for ((i = 0; i < ${#COMPREPLY[@]}; i++)); do
        COMPREPLY[i]=${COMPREPLY[i]#"$word"}
    done
}

if [ -n "${ZSH_VERSION-}" ]; then # it has no compopt: no word gets a space
    complete -o nospace -F _strobe strobe
else
    complete -F _strobe strobe
fi
)script";

} // namespace strobe::platform
