#!/bin/sh
# Renders the product pictures from their models and encodes them as WebP.
#
#   assets/render.sh                                  every picture, final quality
#   assets/render.sh battery-74ah hero-turbo          some of them
#   assets/render.sh --samples 8 --size 320 alloy-17  a draft: only the widths up to 320 are written
#   make -C assets SLUGS="alloy-17" SAMPLES=32        the same through make
#
# Options: --samples N, --size WIDTH (of the render), --out DIR, --png DIR (keeps the renders), --from DIR (encodes
# renders kept earlier instead of rendering), --list.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
out="$here/../frontend/public/pictures"
samples=""
size=""
png=""
from=""

products=$(sed -n 's/^    "\([a-z0-9-]*\)": (.*/\1/p' "$here/variants.py")
turns=$(sed -n 's/^TURNTABLES = (\(.*\))$/\1/p' "$here/variants.py" | tr -d '",' | sed 's/[^ ]*/turn-&/g')
columns=$(sed -n 's/^TURN_COLUMNS, TURN_ROWS = \([0-9]*\), .*/\1/p' "$here/variants.py")
heroes="hero-turbo hero-brakes hero-wheel"
offers="promo-brakes promo-tyres banner-turbo"

die() {
    echo "render: $*" >&2
    exit 2
}

number() {
    case "$2" in
        '' | *[!0-9]* | 0*) die "$1 wants a whole number above 0, not '$2'" ;;
    esac
}

slugs=""
while [ $# -gt 0 ]; do
    case "$1" in
        --samples | --size | --out | --png | --from)
            [ $# -ge 2 ] || die "$1 wants a value"
            case "$1" in
                --samples) number "$1" "$2"; samples=$2 ;;
                --size) number "$1" "$2"; size=$2 ;;
                --out) out=$2 ;;
                --png) png=$2 ;;
                --from) from=$2 ;;
            esac
            shift 2
            ;;
        --list) printf '%s\n' $products $turns $heroes $offers; exit 0 ;;
        -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
        -*) die "unknown option $1 (see --help)" ;;
        *)
            printf '%s\n' $products $turns $heroes $offers | grep -qxF -e "$1" || die "there is no picture called '$1' (see --list)"
            slugs="$slugs $1"
            shift
            ;;
    esac
done
[ -n "$slugs" ] || slugs="$products $turns $heroes $offers"

missing=""
[ -n "$from" ] || command -v blender >/dev/null 2>&1 || missing="$missing
  blender  (Debian: apt install blender; 3.4 to 3.6, with Cycles)"
[ -n "$from" ] || ! command -v blender >/dev/null 2>&1 || blender -b -noaudio --python-exit-code 1 --python-expr 'import numpy' >/dev/null 2>&1 || missing="$missing
  numpy    for Blender's Python (Debian: apt install python3-numpy)"
command -v cwebp >/dev/null 2>&1 || missing="$missing
  cwebp    (Debian: apt install webp)"
[ -z "$missing" ] || die "these programs are needed and not installed:$missing"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir -p "$out/parts" "$out/turns" || die "cannot write to $out"
[ -z "$png" ] || mkdir -p "$png" || die "cannot write to $png"

# The alpha stays lossless: with fewer steps a soft shadow shows contours, and is hardly smaller.
# Lowers the quality until the file fits its budget, so that a grainy draft cannot bloat a page.
encode() { # PNG WIDTH TARGET LIMIT
    q=84
    while :; do
        cwebp -quiet -m 6 -sharp_yuv -q $q -resize "$2" 0 "$1" -o "$3" || die "cwebp failed on $1"
        [ "$(wc -c <"$3")" -le "$4" ] && return 0
        [ $q -gt 40 ] || die "$3 stays above $4 bytes even at quality $q: raise --samples"
        q=$((q - 4))
    done
}

for slug in $slugs; do
    folder=$out
    across=1
    case "$slug" in
        turn-*) full=480 ratio_w=4 ratio_h=3 widths="480:300000" default_samples=12 folder=$out/turns across=$columns ;;
        hero-* | banner-*) full=1440 ratio_w=16 ratio_h=9 widths="640:45000 960:72000 1440:108000" default_samples=48 ;;
        promo-*) full=960 ratio_w=4 ratio_h=3 widths="320:16000 640:34000 960:58000" default_samples=32 ;;
        *) full=960 ratio_w=4 ratio_h=3 widths="320:16000 640:34000 960:58000" default_samples=16 folder=$out/parts ;;
    esac
    w=${size:-$full}
    h=$((w * ratio_h / ratio_w))
    n=${samples:-$default_samples}
    if [ -n "$from" ]; then
        file="$from/$slug.png"
        [ -f "$file" ] || die "there is no render $file"
        # The kept render may be smaller than the usual.
        w=${size:-$full}
    else
        file="$work/$slug.png"
        begun=$(date +%s)
        # Nobody waits for a picture; who runs this at a low priority already has chosen one.
        calm=$((15 - $(nice)))
        [ $calm -gt 0 ] || calm=0
        if ! nice -n $calm blender -b -noaudio -t 1 --python-exit-code 1 --python "$here/shoot.py" -- \
            "$slug" "$file" "$w" "$h" "$n" >"$work/log" 2>&1 || [ ! -s "$file" ]; then
            grep -v '^Fra:' "$work/log" | tail -n 25 >&2
            die "Blender could not render $slug"
        fi
        echo "$slug: ${w}x$h, $n samples, $(($(date +%s) - begun)) s"
        [ -z "$png" ] || cp "$file" "$png/$slug.png"
    fi
    for rule in $widths; do
        wide=${rule%%:*}
        [ "$wide" -le "$w" ] || continue
        encode "$file" $((wide * across)) "$work/out.webp" "${rule##*:}"
        name=$slug-$wide
        # There is one width of a sheet, and a folder of sheets.
        [ "$across" -eq 1 ] || name=${slug#turn-}
        mv "$work/out.webp" "$folder/$name.webp"
        chmod 644 "$folder/$name.webp"
    done
done
