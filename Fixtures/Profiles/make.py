#!/usr/bin/env python3
"""Makes the profiles of this folder, and asks Little CMS what they mean.

    LCMS2=liblcms2.so python3 Fixtures/Profiles/make.py

writes *.icc, inputs.json, index.json and ref/*.json anew. The profiles are computed here, from the formulas below, and nobody's
property (CC0). The answers are those of liblcms2, called through ctypes. It must be 2.19 or newer, such as the one in the wheels of
Pillow 13: older versions take the hue from a profile's black before they compensate for it. Without LCMS2 the system's is taken;
index.json says which version answered.
"""

import ctypes
import ctypes.util
import json
import math
import os
import pathlib
import random
import struct

HERE = pathlib.Path(__file__).parent
D50 = (0.9642, 1.0, 0.8249)

# ---- Numbers of ICC.1


def fixed(*values):
    return b"".join(struct.pack(">i", round(v * 65536)) for v in values)


def code16(v):
    return struct.pack(">H", min(max(round(v * 65535), 0), 65535))


def code8(v):
    return struct.pack(">B", min(max(round(v * 255), 0), 255))


def padded(data):
    return data + b"\0" * (-len(data) % 4)


def text(version, words):
    if version >= 4:
        body = words.encode("utf-16-be")
        return b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(body), 28) + body
    return b"desc\0\0\0\0" + struct.pack(">I", len(words) + 1) + words.encode() + b"\0" * (1 + 4 + 4 + 2 + 1 + 67)


def xyz(*values):
    return b"XYZ \0\0\0\0" + fixed(*values)


def curv(*values):
    return b"curv\0\0\0\0" + struct.pack(">I", len(values)) + b"".join(struct.pack(">H", v) for v in values)


def sampled(f, count):
    return curv(*(min(max(round(f(i / (count - 1)) * 65535), 0), 65535) for i in range(count)))


def para(kind, *values):
    return b"para\0\0\0\0" + struct.pack(">HH", kind, 0) + fixed(*values)


def profile(name, space, pcs, tags, kind=b"mntr", version=4, white=D50):
    """The bytes of a profile; tags of the same content share it."""
    tags = dict(tags)
    tags.setdefault("desc", text(version, name))
    tags.setdefault("cprt", text(version, "CC0") if version >= 4 else b"text\0\0\0\0CC0\0")
    if kind != b"link":
        tags.setdefault("wtpt", xyz(*white))
    places, data, table = {}, b"", b""
    start = 132 + 12 * len(tags)
    for tag, content in tags.items():
        if content not in places:
            places[content] = start + len(data)
            data += padded(content)
        table += struct.pack(">4sII", tag.encode(), places[content], len(content))
    size = start + len(data)
    header = struct.pack(
        ">I4sI4s4s4s6H4s4sI4sIQI12s4s", size, b"\0\0\0\0", version << 24 | (0x400000 if version < 4 else 0x300000),
        kind, space.encode(), pcs.encode(), 2024, 1, 1, 0, 0, 0, b"acsp", b"\0\0\0\0", 0, b"\0\0\0\0", 0, 0, 0,
        fixed(*D50), b"\0\0\0\0")
    header += b"\0" * (128 - len(header))
    return header + struct.pack(">I", len(tags)) + table + data


# ---- Colors


def mul(m, v):
    return [sum(a * b for a, b in zip(row, v)) for row in m]


def inverse(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return [[(e * i - f * h) / det, (c * h - b * i) / det, (b * f - c * e) / det],
            [(f * g - d * i) / det, (a * i - c * g) / det, (c * d - a * f) / det],
            [(d * h - e * g) / det, (b * g - a * h) / det, (a * e - b * d) / det]]


def adapted_matrix(primaries, white):
    """RGB to XYZ under D50, by Bradford."""
    def column(x, y):
        return [x / y, 1, (1 - x - y) / y]
    rows = list(map(list, zip(*(column(*p) for p in primaries))))
    w = column(*white)
    scale = mul(inverse(rows), w)
    to_xyz = [[a * s for a, s in zip(row, scale)] for row in rows]
    bradford = [[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]]
    source, target = mul(bradford, w), mul(bradford, D50)
    cone = [[b * t / s for b in row] for row, s, t in zip(bradford, source, target)]
    adapt = list(map(list, zip(*[mul(inverse(bradford), col) for col in zip(*cone)])))
    return list(map(list, zip(*[mul(adapt, col) for col in zip(*to_xyz)])))


def f_lab(t):
    return t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116


def lab(color):
    x, y, z = (f_lab(max(c, -1) / w) for c, w in zip(color, D50))
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


def of_lab(color):
    y = (color[0] + 16) / 116
    x, z = y + color[1] / 500, y - color[2] / 200
    return [w * (t ** 3 if t > 6 / 29 else (116 * t - 16) * 27 / 24389) for t, w in zip((x, y, z), D50)]


# ---- Tables (ICC.1:2022, 10.10 to 10.13)


def lab_codes(color, style):
    """Lab as fractions: of version 2 (`v2`), where FF00 is 100, or of version 4 and of 8 bits."""
    scale = 65280 / 65535 if style == "v2" else 1
    return [color[0] / 100 * scale, (color[1] + 128) / 255 * scale, (color[2] + 128) / 255 * scale]


def of_lab_codes(codes, style):
    scale = 65535 / 65280 if style == "v2" else 1
    return [codes[0] * scale * 100, codes[1] * scale * 255 - 128, codes[2] * scale * 255 - 128]


def xyz_codes(color, _=None):
    return [c * 32768 / 65535 for c in color]


def of_xyz_codes(codes, _=None):
    return [c * 65535 / 32768 for c in codes]


def grid_points(inputs, size):
    points = [[]]
    for _ in range(inputs):
        points = [p + [i / (size - 1)] for p in points for i in range(size)]
    return points


def mft(bits, inputs, outputs, size, f, curves_in=None, curves_out=None):
    """lut8Type or lut16Type of a function between fractions."""
    code, entries = (code8, 256) if bits == 8 else (code16, 64)
    line = lambda x: x
    curves_in, curves_out = curves_in or line, curves_out or line
    data = b"mft1" if bits == 8 else b"mft2"
    data += b"\0\0\0\0" + bytes([inputs, outputs, size, 0]) + fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    if bits == 16:
        data += struct.pack(">HH", entries, entries)
    data += b"".join(code(curves_in(i / (entries - 1))) for i in range(entries)) * inputs
    data += b"".join(code(v) for p in grid_points(inputs, size) for v in f(p))
    return data + b"".join(code(curves_out(i / (entries - 1))) for i in range(entries)) * outputs


def modern(kind, inputs, outputs, b=None, matrix=None, m=None, lattice=None, a=None, size=0, bits=16):
    """lutAToBType or lutBToAType; `lattice` is a function between fractions."""
    parts = []
    sides = (outputs, inputs) if kind == b"mAB " else (inputs, outputs)
    parts.append((b or para(0, 1)) * 0 + b"".join(padded(b or para(0, 1)) for _ in range(sides[0])))
    parts.append(fixed(*matrix) if matrix else b"")
    parts.append(b"".join(padded(m) for _ in range(3)) if m else b"")
    if lattice:
        code = code16 if bits == 16 else code8
        grid = bytes([size] * inputs + [0] * (16 - inputs)) + bytes([bits // 8, 0, 0, 0])
        parts.append(padded(grid + b"".join(code(v) for p in grid_points(inputs, size) for v in lattice(p))))
        parts.append(b"".join(padded(a or para(0, 1)) for _ in range(sides[1])))
    else:
        parts += [b"", b""]
    place, offsets, body = 32, [], b""
    for part in parts:
        offsets.append(place if part else 0)
        place += len(part)
        body += part
    return kind + b"\0\0\0\0" + bytes([inputs, outputs, 0, 0]) + struct.pack(">5I", *offsets) + body


# ---- Devices


class Press:
    """A printing press: Neugebauer's mixtures of the solids, with dot gain (Yule and Nielsen's factor 2)."""

    paper = (0.84, 0.87, 0.74)
    inks = ((0.16, 0.23, 0.55), (0.33, 0.17, 0.15), (0.71, 0.78, 0.07), (0.018, 0.018, 0.016), (0.5, 0.35, 0.05))

    def __init__(self, count, black_limit=1.0):
        self.count, self.black_limit = count, black_limit
        self.solids = []
        for mask in range(1 << count):
            color = list(self.paper)
            for ink in range(count):
                if mask >> ink & 1:
                    color = [c * (0.04 + 0.96 * i / p) for c, i, p in zip(color, self.inks[ink], self.paper)]
            self.solids.append([math.sqrt(c) for c in color])

    def xyz(self, amounts):
        result = [0.0, 0.0, 0.0]
        for mask, solid in enumerate(self.solids):
            weight = 1.0
            for ink, amount in enumerate(amounts):
                weight *= amount if mask >> ink & 1 else 1 - amount
            for channel in range(3):
                result[channel] += weight * solid[channel]
        return [c * c for c in result]

    def relative(self, amounts):
        """Media-relative: paper is the connection white."""
        return [c / p * w for c, p, w in zip(self.xyz(amounts), self.paper, D50)]

    def separate(self, color):
        """Amounts of inks for a media-relative color: black from lightness, the others by steps of Newton's method."""
        lightness = color[0]
        target = of_lab([min(max(color[0], 0), 100), color[1], color[2]])
        black = self.black_limit * min(max((60 - lightness) / 60, 0), 1) ** 1.5
        amounts = [0.5, 0.5, 0.5] + [black] + [0.0] * (self.count - 4)
        wanted = lab(target)
        for _ in range(30):
            now = lab(self.relative(amounts))
            error = [w - n for w, n in zip(wanted, now)]
            if max(map(abs, error)) < 1e-3:
                break
            columns = []
            for ink in range(3):
                step = 1e-4 if amounts[ink] < 0.5 else -1e-4
                moved = list(amounts)
                moved[ink] += step
                columns.append([(a - b) / step for a, b in zip(lab(self.relative(moved)), now)])
            jacobian = list(map(list, zip(*columns)))
            # Damped, so that colors beyond the gamut end near it.
            square = [[sum(jacobian[k][i] * jacobian[k][j] for k in range(3)) + (30 if i == j else 0)
                       for j in range(3)] for i in range(3)]
            gradient = [sum(jacobian[k][i] * error[k] for k in range(3)) for i in range(3)]
            for ink, change in enumerate(mul(inverse(square), gradient)):
                amounts[ink] = min(max(amounts[ink] + change, 0), 1)
        return amounts


class Display:
    """A display with a black that is not quite dark."""

    def __init__(self, black=0.01, gamma=2.2):
        self.black, self.gamma = black, gamma
        self.matrix = adapted_matrix(((0.64, 0.33), (0.30, 0.60), (0.15, 0.06)), (0.3127, 0.329))
        self.back = inverse(self.matrix)

    def relative(self, rgb):
        light = mul(self.matrix, [c ** self.gamma for c in rgb])
        return [w * self.black + c * (1 - self.black) for c, w in zip(light, D50)]

    def separate(self, color):
        light = [(c - w * self.black) / (1 - self.black) for c, w in zip(of_lab(color), D50)]
        return [min(max(c, 0), 1) ** (1 / self.gamma) for c in mul(self.back, light)]


def perceptual(device):
    """The perceptual table of a device: its lightness squeezed, as makers of profiles do."""
    def relative(amounts):
        color = lab(device.relative(amounts))
        return of_lab([color[0] * 0.97, color[1] * 0.9, color[2] * 0.9])

    def separate(color):
        return device.separate([min(color[0] / 0.97, 100), color[1] / 0.9, color[2] / 0.9])
    return relative, separate


def tables(device, channels, pcs, make, style):
    """A2B and B2A tags of perceptual and colorimetric intents."""
    to_codes, from_codes = (lab_codes, of_lab_codes) if pcs == "Lab " else (xyz_codes, of_xyz_codes)
    squeezed, unsqueezed = perceptual(device)
    ways = {"0": (squeezed, unsqueezed), "1": (device.relative, device.separate)}
    tags = {}
    for number, (relative, separate) in ways.items():
        def forward(p):
            color = relative(p)
            return to_codes(lab(color) if pcs == "Lab " else color, style)

        def backward(p):
            color = from_codes(p, style)
            return separate(color if pcs == "Lab " else lab(color))
        tags["A2B" + number], tags["B2A" + number] = make(channels, forward, backward)
    return tags


def classic(bits, forward_size, back_size):
    bend = lambda x: x * (1.15 - 0.15 * x)
    unbend = lambda y: (1.15 - math.sqrt(1.15 ** 2 - 0.6 * y)) / 0.3

    def make(channels, forward, backward):
        return (mft(bits, channels, 3, forward_size, lambda p: forward([unbend(v) for v in p]), curves_in=bend),
                mft(bits, 3, channels, back_size, backward))
    return make


def modern_pair(forward_size, back_size, bits=16):
    power = para(0, 1.2)

    def make(channels, forward, backward):
        return (modern(b"mAB ", channels, 3, lattice=lambda p: forward([v ** (1 / 1.2) for v in p]), a=power,
                       size=forward_size, bits=bits),
                modern(b"mBA ", 3, channels, lattice=lambda p: backward(p), size=back_size, bits=bits))
    return make


# ---- Profiles

SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
P3 = ((0.68, 0.32), (0.265, 0.69), (0.15, 0.06))
REC2020 = ((0.708, 0.292), (0.17, 0.797), (0.131, 0.046))
ADOBE = ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
PROPHOTO = ((0.734699, 0.265301), (0.159597, 0.840403), (0.036598, 0.000105))
AP1 = ((0.713, 0.293), (0.165, 0.830), (0.128, 0.044))
D65, D50_XY, ACES = (0.3127, 0.329), (0.345704, 0.358540), (0.32168, 0.33767)
SRGB_CURVE = (2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)


def srgb_decode(x):
    return x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4


def matrix_tags(primaries, white, *curves):
    columns = list(zip(*adapted_matrix(primaries, white)))
    curves = curves * 3 if len(curves) == 1 else curves
    return {
        **{tag: xyz(*c) for tag, c in zip(("rXYZ", "gXYZ", "bXYZ"), columns)},
        **dict(zip(("rTRC", "gTRC", "bTRC"), curves)),
    }


def all_profiles():
    def rgb(name, tags, version=4, **rest):
        return name, profile(name, "RGB ", "XYZ ", tags, version=version, **rest)

    srgb = para(3, *SRGB_CURVE)
    # Spaces that have names.
    yield rgb("srgb-para3-v4", matrix_tags(SRGB, D65, srgb))
    yield rgb("srgb-curv1024-v2", matrix_tags(SRGB, D65, sampled(srgb_decode, 1024)), 2)
    yield rgb("display-p3-v4", matrix_tags(P3, D65, srgb))
    yield rgb("adobe-rgb-v2", matrix_tags(ADOBE, D65, curv(563)), 2)
    yield rgb("prophoto-v4", matrix_tags(PROPHOTO, D50_XY, para(3, 1.8, 1, 0, 1 / 16, 1 / 32)))
    yield rgb("p3-gamma22-v2", matrix_tags(P3, D65, curv(563)), 2)
    yield rgb("rec2020-v4", matrix_tags(REC2020, D65, para(3, 1 / 0.45, 1 / 1.09929682680944, 0.09929682680944 / 1.09929682680944,
                                                           1 / 4.5, 0.08124285829863521)))
    yield rgb("acescg-v4", matrix_tags(AP1, ACES, para(0, 1)))
    # Every kind of curve.
    yield rgb("para0", matrix_tags(SRGB, D65, para(0, 2.2)))
    yield rgb("para1", matrix_tags(P3, D65, para(1, 2.2, 0.9, 0.1)))
    yield rgb("para2", matrix_tags(P3, D65, para(2, 2.0, 0.9, 0.05, 0.02)))
    yield rgb("para4", matrix_tags(REC2020, D65, para(4, 2.4, 0.93, 0.06, 0.08, 0.05, 0.01, 0.002)))
    yield rgb("curv0", matrix_tags(REC2020, D65, curv()), 2)
    yield rgb("curv2", matrix_tags(ADOBE, D65, curv(0, 65535)), 2)
    yield rgb("curves-differ", matrix_tags(
        SRGB, D65, curv(0x0240), sampled(lambda x: x ** 1.9, 256), sampled(lambda x: 0.02 + 0.98 * x ** 2.4, 1024)), 2)
    yield rgb("black-of-curves", matrix_tags(SRGB, D65, sampled(lambda x: 0.01 + 0.99 * x ** 2.2, 256)), 2)
    # Gray.
    for name, pcs, curve, version in (
            ("gray-curv-v2", "XYZ ", sampled(lambda x: x ** 1.75, 64), 2), ("gray-para-v4", "XYZ ", srgb, 4),
            ("gray-lab-v2", "Lab ", curv(0x0180), 2)):
        yield name, profile(name, "GRAY", pcs, {"kTRC": curve}, version=version)
    # Tables of displays and RGB printers. A display's black is fitted, a v4 profile's black is stated.
    dim, darker = Display(0.012), Display(0.004, 1.8)
    for name, device, pcs, make, style, version in (
            ("rgb-mft1-lab", dim, "Lab ", classic(8, 7, 9), "v4", 2),
            ("rgb-mft2-lab-v2", dim, "Lab ", classic(16, 7, 11), "v2", 2),
            ("rgb-mft2-lab-v4", darker, "Lab ", classic(16, 6, 9), "v2", 4),
            ("rgb-mft2-xyz", dim, "XYZ ", classic(16, 7, 9), "v2", 2),
            ("rgb-mAB-lab", darker, "Lab ", modern_pair(7, 9), "v4", 4),
            ("rgb-mAB-8bit", dim, "Lab ", modern_pair(6, 9, 8), "v4", 4)):
        yield name, profile(name, "RGB ", pcs, tables(device, 3, pcs, make, style), b"prtr", version)
    yield "rgb-mAB-matrix", profile(
        "rgb-mAB-matrix", "RGB ", "XYZ ", {
            "A2B0": modern(b"mAB ", 3, 3, matrix=[v * 32768 / 65535 for row in adapted_matrix(P3, D65) for v in row]
                           + [0.0, 0.001, 0.0], m=para(0, 2.2)),
        }, version=4)
    # Presses: the black of all inks, of the profile's own limit, and of a round trip.
    press = Press(4)
    white = press.paper
    for name, device, make, style, version in (
            ("cmyk-mft1", press, classic(8, 4, 7), "v4", 2), ("cmyk-mft2", press, classic(16, 4, 7), "v2", 2),
            ("cmyk-mft2-pale-black", Press(4, 0.6), classic(16, 4, 7), "v2", 2),
            ("cmyk-mAB", press, modern_pair(4, 7), "v4", 4)):
        yield name, profile(name, "CMYK", "Lab ", tables(device, 4, "Lab ", make, style), b"prtr", version, white)
    five = Press(5)
    yield "5clr-mft2", profile(
        "5clr-mft2", "5CLR", "Lab ", tables(five, 5, "Lab ", classic(16, 3, 6), "v2"), b"prtr", 2, white)
    # From device to device, and from Lab to Lab.
    link = mft(16, 3, 4, 6, lambda p: press.separate(lab(dim.relative(p))))
    yield "link-rgb-cmyk", profile("link-rgb-cmyk", "RGB ", "CMYK", {"A2B0": link}, b"link", 2)

    def warmer(p):
        color = of_lab_codes(p, "v2")
        return lab_codes([100 * (color[0] / 100) ** 0.9, color[1] * 0.8, color[2] * 0.8 + 10], "v2")
    yield "abstract-lab", profile("abstract-lab", "Lab ", "Lab ", {"A2B0": mft(16, 3, 3, 7, warmer)}, b"abst", 2)


# ---- Little CMS

NOCACHE, NOOPTIMIZE, HIGHRES, COMPENSATE = 0x0040, 0x0100, 0x0400, 0x2000
FLOAT = 1 << 22
lcms = ctypes.CDLL(os.environ.get("LCMS2") or ctypes.util.find_library("lcms2"))
for name in ("cmsOpenProfileFromMem", "cmsCreateTransform", "cmsCreateLab2Profile", "cmsCreateXYZProfile",
             "cmsCreate_sRGBProfile"):
    getattr(lcms, name).restype = ctypes.c_void_p
lcms.cmsSetProfileVersion.argtypes = [ctypes.c_void_p, ctypes.c_double]
lcms.cmsCloseProfile.argtypes = lcms.cmsDeleteTransform.argtypes = [ctypes.c_void_p]
lcms.cmsCreateTransform.argtypes = [
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint32]
lcms.cmsDoTransform.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32]
lcms.cmsOpenProfileFromMem.argtypes = [ctypes.c_char_p, ctypes.c_uint32]
lcms.cmsCreateLab2Profile.argtypes = [ctypes.c_void_p]
CHANNELS = {"RGB": 3, "GRAY": 1, "CMYK": 4, "5CLR": 5, "Lab": 3, "XYZ": 3}
# Little CMS counts amounts of inks in hundredths.
PT = {"Lab": 10, "XYZ": 9, "CMYK": 6, "5CLR": 19}


def named(end):
    """The other side. Marked as version 2, so that black point compensation is never forced."""
    handle = {"Lab": lambda: lcms.cmsCreateLab2Profile(None), "XYZ": lcms.cmsCreateXYZProfile,
              "sRGB": lcms.cmsCreate_sRGBProfile}[end]()
    lcms.cmsSetProfileVersion(handle, 2.1)
    return handle


def layout(model):
    return FLOAT | PT.get(model, 0) << 16 | CHANNELS[model] << 3


def ask(data, target, model, output_model, intent, compensation, rows):
    """What Little CMS makes of rows, or None where it makes nothing."""
    device = lcms.cmsOpenProfileFromMem(data, len(data))
    if target == "device":
        source, other, last = device, None, None
    elif target.startswith("device from"):
        source, other = named(target.split()[-1]), device
    else:
        source, other = device, named(target)
    flags = NOCACHE | NOOPTIMIZE | HIGHRES | (COMPENSATE if compensation else 0)
    transform = lcms.cmsCreateTransform(source, layout(model), other, layout(output_model), intent, flags)
    result = None
    if transform:
        result = []
        for row in rows:
            given = (ctypes.c_double * CHANNELS[model])(*row)
            made = (ctypes.c_double * CHANNELS[output_model])()
            lcms.cmsDoTransform(transform, given, made, 1)
            result.append([float(f"{v:.7g}") for v in made])
        lcms.cmsDeleteTransform(transform)
    for handle in (source, other):
        if handle:
            lcms.cmsCloseProfile(handle)
    return result


def inputs():
    """Rows of each model, dark ones and corners among them: amounts of inks in hundredths, as Little CMS counts them."""
    chance = random.Random(20_260_301)

    def of(count, scale, many):
        corners = [[float(mask >> i & 1) for i in range(count)] for mask in range(1 << count)] if count < 5 else []
        gray = [[v] * count for v in (0.02, 0.06, 0.12, 0.25, 0.5, 0.75)]
        rest = [[chance.random() ** chance.choice((0.4, 1, 2.5)) for _ in range(count)] for _ in range(many)]
        rows = corners + (gray if count > 1 else [[i / 32] for i in range(33)]) + rest
        return [[struct.unpack("f", struct.pack("f", v * scale))[0] for v in row] for row in rows]
    labs = [[v, 0, 0] for v in (0, 2, 5, 8, 12, 18, 30, 50, 75, 95, 100)]
    labs += [[round(100 * chance.random() ** 1.5, 3), round(chance.uniform(-50, 50), 3), round(chance.uniform(-50, 50), 3)]
             for _ in range(30)]
    return {"RGB": of(3, 1, 26), "GRAY": of(1, 1, 0), "CMYK": of(4, 100, 24), "5CLR": of(5, 100, 30), "Lab": labs}


def main():
    rows = inputs()
    entries = []
    (HERE / "ref").mkdir(exist_ok=True)
    for name, data in all_profiles():
        (HERE / f"{name}.icc").write_bytes(data)
        model = data[16:20].decode().strip()
        kind = data[12:16]
        pairs = [("Lab", model, "Lab"), ("XYZ", model, "XYZ"), ("sRGB", model, "RGB"),
                 ("device from Lab", "Lab", model), ("device from sRGB", "RGB", model)]
        if kind in (b"link", b"abst"):
            pairs = [("device", model, {b"link": "CMYK", b"abst": "Lab"}[kind])]
        transforms = []
        for target, source, output in pairs:
            known = []
            for compensation in (False, True):
                for intent in ((0,) if target == "device" else (1, 0, 2, 3)):
                    # Absolute colorimetry has no compensation; a link is as it is.
                    if compensation and (intent == 3 or target == "device" or target.endswith("XYZ")):
                        continue
                    out = ask(data, target, source, output, intent, compensation, rows[source])
                    if out is None:
                        continue
                    entry = {"to": target, "intent": intent, "bpc": compensation}
                    twin = next((k for k in known if k["out"] == out), None)
                    if twin:
                        entry["same_as"] = {"intent": twin["intent"], "bpc": twin["bpc"]}
                    else:
                        entry["out"] = out
                        known.append(entry)
                    transforms.append(entry)
        (HERE / f"ref/{name}.json").write_text(
            json.dumps({"inputs": model, "transforms": transforms}, separators=(",", ":")).replace('{"to"', '\n{"to"') + "\n")
        entries.append({"file": f"{name}.icc", "ref": f"ref/{name}.json", "license": "CC0", "bytes": len(data)})
    (HERE / "inputs.json").write_text(json.dumps(rows, separators=(",", ":")).replace('],"', '],\n"') + "\n")
    (HERE / "index.json").write_text(json.dumps(
        {"meta": {"made_by": "make.py", "engine": f"Little CMS {lcms.cmsGetEncodedCMMversion()}"}, "profiles": entries},
        indent=1) + "\n")


main()
