#!/usr/bin/env python3
"""Makes the image files of this folder, by other programs than this package.

    python3 Fixtures/Images/make.py

needs Pillow, exiftool, libvips-tools and libtiff-tools. The pictures are computed here and nobody's property (CC0). Compressed files may
differ in bytes with the versions of these programs; the tests say what must be in them.
"""

import io
import math
import pathlib
import struct
import subprocess
import sys
import zlib

from PIL import Image

HERE = pathlib.Path(__file__).parent
PROFILES = HERE.parent / "Profiles"
TURNS = {2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
         5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE,
         8: Image.Transpose.ROTATE_270}


def profile(name):
    return (PROFILES / f"{name}.icc").read_bytes()


def run(*words):
    subprocess.run([str(w) for w in words], check=True, stdout=subprocess.DEVNULL)


def scene(width=60, height=40):
    """A sky, a hill, a sun and a house: no two of its eight positions look alike."""
    image = Image.new("RGB", (width, height))
    for y in range(height):
        for x in range(width):
            u, v = x / width, y / height
            color = (90 + 100 * v, 140 + 60 * v, 230 - 30 * v)
            if v > 0.6 + 0.15 * math.sin(5 * u):
                color = (60 + 40 * u, 120 - 50 * v, 40)
            if (u - 0.8) ** 2 + (v - 0.2) ** 2 < 0.01:
                color = (250, 220, 120)
            if 0.15 < u < 0.35 and 0.45 < v < 0.8:
                color = (150, 60 + 200 * (u - 0.15), 50)
            image.putpixel((x, y), tuple(round(c) for c in color))
    return image


def png(path, width, height, kind, depth, rows, *chunks):
    """A PNG with the chunks given before its pixels."""
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    data = b"".join(b"\0" + row for row in rows)
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))]
    parts += [chunk(*c) for c in chunks]
    parts += [chunk(b"IDAT", zlib.compress(data, 9)), chunk(b"IEND", b"")]
    (HERE / path).write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(parts))


def icc_chunk(name):
    return b"iCCP", b"profile\0\0" + zlib.compress(profile(name), 9)


def wide_pngs():
    # A field of the reddest red of Display P3 on the reddest of sRGB, which becomes invisible without the profile.
    def pixel(x, y):
        inside = (x - 32) ** 2 + (y - 32) ** 2 < 400
        return bytes((255, 0, 0, 255) if inside else (234, 51, 35, 255))
    rows = [b"".join(pixel(x, y) for x in range(64)) for y in range(64)]
    png("wide-p3-red.png", 64, 64, 6, 8, rows, icc_chunk("p3-gamma22-v2"))


def deep_pngs():
    rows = [b"".join(struct.pack(">HHH", 1000 * x, 1500 * y, 65535 - 900 * x) for x in range(32)) for y in range(32)]
    chromaticities = struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
    png("rgb-16-gamma.png", 32, 32, 2, 16, rows, (b"gAMA", struct.pack(">I", 45455)), (b"cHRM", chromaticities))
    rows = [b"".join(struct.pack(">HH", 600 * x, 65535 - 680 * y) for x in range(109)) for y in range(96)]
    png("gray-alpha-16.png", 109, 96, 4, 16, rows, icc_chunk("gray-curv-v2"))
    rows = [b"".join(bytes((4 * x, 200, 5 * y, 255 - 4 * x)) for x in range(48)) for y in range(48)]
    png("untagged-alpha.png", 48, 48, 6, 8, rows)


def jpegs():
    base = scene()
    for number in range(1, 9):
        # Stored so that turning it as the tag says gives the scene again.
        stored = base if number == 1 else base.transpose({6: TURNS[6], 8: TURNS[8]}.get(number, TURNS.get(number)))
        exif = Image.Exif()
        exif[0x0112] = number
        stored.save(HERE / f"orientation-{number}.jpg", quality=92, exif=exif)
    base.save(HERE / "wide-p3.jpg", quality=90, icc_profile=profile("display-p3-v4"))
    base.save(HERE / "wide-rec2020-progressive.jpg", quality=90, progressive=True, icc_profile=profile("rec2020-v4"))
    camera = HERE / "camera-adobe-rgb.jpg"
    base.save(camera, quality=90)
    run("exiftool", "-q", "-n", "-overwrite_original", "-ExifIFD:ColorSpace=65535", "-InteropIFD:InteropIndex=R03",
        "-Make=Nobody", "-Model=Script", camera)
    inks = Image.new("CMYK", (48, 32))
    inks.putdata([(5 * x, 8 * y, 255 - 5 * x, 40 if y > 20 else 0) if x else (0, 0, 0, 0) for y in range(32) for x in range(48)])
    inks.save(HERE / "cmyk-profile.jpg", quality=95, icc_profile=profile("cmyk-mft2"))
    inks.save(HERE / "cmyk-no-profile.jpg", quality=95)


def tiffs():
    lab = Image.merge("LAB", [Image.new("L", (40, 30), v) for v in (180, 20, 236)])
    lab.save(HERE / "lab.tiff")
    page = Image.new("1", (304, 200))
    page.putdata([255 if (x // 8 + y // 5) % 3 else 0 for y in range(200) for x in range(304)])
    page.save(HERE / "fax.tiff", compression="group4")
    scene().save(HERE / "scene.png", icc_profile=profile("srgb-para3-v4"))
    run("vips", "tiffsave", HERE / "scene.png", HERE / "tiled-lzw.tiff", "--tile", "--tile-width", 16, "--tile-height", 16,
        "--compression", "lzw")
    run("vips", "pngsave", HERE / "scene.png", HERE / "interlaced.png", "--interlace")
    run("vips", "pngsave", HERE / "scene.png", HERE / "palette.png", "--palette")
    run("tiffcp", "-p", "separate", "-c", "zip", HERE / "tiled-lzw.tiff", HERE / "planes-zip.tiff")


def exr_header(width, height, channels, compression, flags=0, extra=()):
    def text(words):
        return words.encode() + b"\0"

    def attribute(name, kind, body):
        return text(name) + text(kind) + struct.pack("<I", len(body)) + body
    box = struct.pack("<4i", 0, 0, width - 1, height - 1)
    listed = b"".join(text(c) + struct.pack("<iIii", 1, 0, 1, 1) for c in channels) + b"\0"
    header = b"\x76\x2f\x31\x01\x02" + bytes([flags]) + b"\0\0"
    header += attribute("channels", "chlist", listed) + attribute("compression", "compression", bytes([compression]))
    header += attribute("dataWindow", "box2i", box) + attribute("displayWindow", "box2i", box)
    header += attribute("lineOrder", "lineOrder", b"\0") + attribute("pixelAspectRatio", "float", struct.pack("<f", 1))
    header += attribute("screenWindowCenter", "v2f", struct.pack("<2f", 0, 0))
    header += attribute("screenWindowWidth", "float", struct.pack("<f", 1))
    return header + b"".join(attribute(*e) for e in extra) + b"\0"


def exr_file(path, header, blocks):
    place, table = len(header) + 8 * len(blocks), b""
    for block in blocks:
        table += struct.pack("<Q", place)
        place += len(block)
    (HERE / path).write_bytes(header + table + b"".join(blocks))


def exr_tiles(path, mode):
    """Tiles of 16 × 16, stored; with mode 1 a mipmap below them."""
    width, height, blocks = 40, 24, []
    header = exr_header(width, height, "BGR", 0, 2, [("tiles", "tiledesc", struct.pack("<IIB", 16, 16, mode))])
    for level in range(6 if mode else 1):
        wide, high = max(width >> level, 1), max(height >> level, 1)
        for top in range(0, high, 16):
            for left in range(0, wide, 16):
                columns, rows = range(left, min(left + 16, wide)), range(top, min(top + 16, high))
                data = b"".join(struct.pack("<e", (x << level) / 40 + channel * (y << level) / 50)
                                for y in rows for channel in range(3) for x in columns)
                blocks.append(struct.pack("<4iI", left // 16, top // 16, level, level, len(data)) + data)
    exr_file(path, header, blocks)


def exr():
    """Every half there is, in blocks of 16 rows as ZIP packs them."""
    header = exr_header(256, 256, "Y", 3)
    blocks = []
    for start in range(0, 256, 16):
        raw = struct.pack("<4096H", *range(256 * start, 256 * start + 4096))
        mixed = bytearray(raw[0::2] + raw[1::2])
        for i in range(len(mixed) - 1, 0, -1):
            mixed[i] = (mixed[i] - mixed[i - 1] + 128) & 255
        packed = zlib.compress(bytes(mixed), 9)
        blocks.append(struct.pack("<iI", start, len(packed)) + packed)
    exr_file("all-halves.exr", header, blocks)
    exr_tiles("tiles.exr", 0)
    exr_tiles("mipmap.exr", 1)


def segment(marker, body):
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def patches(mode, size, colors):
    """Squares of one color each, three in a row. Their sides are multiples of 8, so that JPEG keeps their values."""
    image = Image.new(mode, (3 * size, 2 * size))
    for index, color in enumerate(colors):
        left, top = index % 3 * size, index // 3 * size
        image.paste(color, (left, top, left + size, top + size))
    return image


def jpeg_parts(image, **options):
    """The bytes of SOI and the JFIF segment, and the rest."""
    data = io.BytesIO()
    image.save(data, "JPEG", quality=100, subsampling=0, **options)
    data = data.getvalue()
    end = 4 + struct.unpack(">H", data[4:6])[0]
    return data[:end], data[end:]


def gain_map_file(path, base, gain_map, base_segments, map_segments):
    """A base picture with an index (CIPA DC-007), and its gain map behind it. Segments may hold %LENGTH% for the map's bytes."""
    map_start, map_rest = jpeg_parts(gain_map)
    second = map_start + b"".join(map_segments) + map_rest
    start, rest = jpeg_parts(base[0], **base[1])
    start += b"".join(segment(m, b.replace(b"%LENGTH%", b"%d" % len(second))) for m, b in base_segments)
    index_start = len(start) + 4 + 4
    primary = len(start) + 4 + 86 + len(rest)
    index = b"II*\0" + struct.pack("<IH", 8, 3)
    index += struct.pack("<HHI4s", 0xB000, 7, 4, b"0100") + struct.pack("<HHII", 0xB001, 4, 1, 2)
    index += struct.pack("<HHII", 0xB002, 7, 32, 50) + struct.pack("<I", 0)
    index += struct.pack("<IIIHH", 0x030000, primary, 0, 0, 0)
    index += struct.pack("<IIIHH", 0, len(second), primary - index_start, 0, 0)
    assert len(index) == 82
    (HERE / path).write_bytes(start + segment(0xE2, b"MPF\0" + index) + rest + second)


def gain_maps():
    """Gain maps as Ultra HDR Image Format 1.1 and as ISO 21496-1:2025 describe them, each by one of the standards alone."""
    xmp = b"http://ns.adobe.com/xap/1.0/\0"
    rdf = b"<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
    end = b"</rdf:RDF></x:xmpmeta>"
    hdrgm = b"xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0'"
    item = b"<rdf:li rdf:parseType='Resource'><Container:Item Item:Semantic='%s' Item:Mime='image/jpeg'%s/></rdf:li>"
    directory = (b"<rdf:Description xmlns:Container='http://ns.google.com/photos/1.0/container/' "
                 b"xmlns:Item='http://ns.google.com/photos/1.0/container/item/' " + hdrgm + b"><Container:Directory>"
                 b"<rdf:Seq>" + item % (b"Primary", b"") + item % (b"GainMap", b" Item:Length='%LENGTH%'")
                 + b"</rdf:Seq></Container:Directory></rdf:Description>")
    numbers = (b"<rdf:Description rdf:about='' " + hdrgm + b" hdrgm:GainMapMin='-0.5' hdrgm:GainMapMax='3.25' "
               b"hdrgm:Gamma='1.5' hdrgm:OffsetSDR='0.015625' hdrgm:OffsetHDR='0.03125' hdrgm:HDRCapacityMin='0' "
               b"hdrgm:HDRCapacityMax='3.25' hdrgm:BaseRenditionIsHDR='False'/>")
    grays = [(v, v, v) for v in (255, 200, 128, 64, 16, 0)]
    exif = Image.Exif()
    exif[0x0112] = 6
    gain_map_file(
        "ultra-hdr.jpg", (patches("RGB", 32, grays), {"exif": exif}), patches("L", 8, [255, 128, 0, 64, 192, 32]),
        [(0xE1, xmp + rdf + directory + end)], [segment(0xE1, xmp + rdf + numbers + end)])
    name = b"urn:iso:std:iso:ts:21496:-1\0"
    fractions = [(1, 4), (5, 2)]
    for channel in range(3):
        fractions += [(channel - 1, 2), (4 + channel, 2), (1 + channel, 1), (1, 64), (-1, 128)]
    binary = struct.pack(">HHB", 0, 0, 0x80 | 0x40) + b"".join(struct.pack(">iI", *f) for f in fractions)
    gain_map_file(
        "iso-21496-1.jpg", (patches("RGB", 32, grays), {"icc_profile": profile("display-p3-v4")}),
        patches("RGB", 8, [(v, v, v) for v in (255, 128, 0, 64, 192, 32)]),
        [(0xE2, name + struct.pack(">HH", 0, 0))], [segment(0xE2, name + binary)])


def animations():
    """Three frames of 80 colors, of which Pillow stores only what changes."""
    def frame(blue):
        image = Image.new("RGB", (20, 16))
        image.putdata([(25 * (i % 20 // 2), 30 * (i // 40), blue(i % 20, i // 20)) for i in range(320)])
        return image
    frames = [frame(lambda x, y: 0), frame(lambda x, y: 120 if x < 8 and y >= 6 else 0),
              frame(lambda x, y: 240 if 4 <= x < 12 and y < 10 else 0)]
    frames[0].save(HERE / "frames.gif", save_all=True, append_images=frames[1:], duration=[100, 200, 300], loop=2,
                   comment=b"three frames")
    # Over what is below, which is left, cleared and restored.
    frames = [image.convert("RGBA") for image in frames]
    frames[0].save(HERE / "frames.png", save_all=True, append_images=frames[1:], duration=[100, 200, 300], loop=3,
                   disposal=[0, 1, 2], blend=1)
    frames[0].save(HERE / "frames.webp", save_all=True, append_images=frames[1:], duration=[100, 200, 300], loop=3,
                   lossless=True, exact=True)


def bmps():
    """37 colors in 8 bits, and bilevel."""
    palette = Image.new("P", (19, 11))
    palette.putpalette([v for i in range(37) for v in (7 * i, 255 - 5 * i, i)])
    palette.putdata([i % 37 for i in range(19 * 11)])
    palette.save(HERE / "palette.bmp")
    bilevel = Image.new("1", (19, 11))
    bilevel.putdata([255 if (i % 19) * (i // 19) % 3 == 0 else 0 for i in range(19 * 11)])
    bilevel.save(HERE / "bilevel.bmp")


if __name__ == "__main__" and sys.argv[1:] in (["gain-maps"], ["animations"], ["bmps"]):
    {"gain-maps": gain_maps, "animations": animations, "bmps": bmps}[sys.argv[1]]()
    sys.exit()

wide_pngs()
deep_pngs()
jpegs()
tiffs()
exr()
gain_maps()
animations()
bmps()
