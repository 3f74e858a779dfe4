#!/usr/bin/env python3
"""OpenColorIO: color conversions, 33³ lookup tables, gamut compression and Oklab, one band of rows a thread."""
import numpy as np
import PyOpenColorIO as ocio

import peer

DEPTHS = {"f32": (ocio.BIT_DEPTH_F32, 1), "f16": (ocio.BIT_DEPTH_F16, 1), "u16": (ocio.BIT_DEPTH_UINT16, 65535),
          "u8": (ocio.BIT_DEPTH_UINT8, 255)}
SRGB = [(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)]
P3 = [(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)]


def to_xyz(primaries, x=0.3127, y=0.3290):
    lights = np.array([[a / b, 1, (1 - a - b) / b] for a, b in primaries]).T
    return lights * np.linalg.solve(lights, [x / y, 1, (1 - x - y) / y])


SRGB_TO_P3 = np.linalg.solve(to_xyz(P3), to_xyz(SRGB))


def decode(v):
    return np.where(v <= 0.04045, v / 12.92, ((np.abs(v) + 0.055) / 1.055) ** 2.4)


def encode(v):
    return np.where(v <= 0.0031308, v * 12.92, 1.055 * np.abs(v) ** (1 / 2.4) - 0.055)


def matrix(m):
    whole = np.eye(4)
    whole[:3, :3] = m
    return ocio.MatrixTransform(matrix=whole.flatten().tolist())


def curve(direction):
    return ocio.ExponentWithLinearTransform(
        gamma=[2.4, 2.4, 2.4, 1], offset=[0.055, 0.055, 0.055, 0], negativeStyle=ocio.NEGATIVE_LINEAR, direction=direction)


def row(transforms, form, reference, limit):
    def run(images, threads):
        depth, unit = DEPTHS[form]
        source = images.load(form)
        target = np.zeros_like(source)
        processor = ocio.Config.CreateRaw().getProcessor(ocio.GroupTransform(transforms)).getOptimizedCPUProcessor(
            depth, depth, ocio.OPTIMIZATION_DEFAULT)

        def picture(array):
            return ocio.PackedImageDesc(array, images.width, array.shape[0], 4, depth, ocio.AutoStride, ocio.AutoStride,
                                        ocio.AutoStride)

        def error():
            colors = source.reshape(-1, 4)[::97, :3].astype(np.float64) / unit
            results = target.reshape(-1, 4)[::97, :3].astype(np.float64) / unit
            return np.abs(results - reference(colors)).max()

        return (lambda: peer.bands(threads, images.height,
                                   lambda a, b: processor.apply(picture(source[a:b]), picture(target[a:b]))),
                error, limit)
    return run


def conversion(form, limit):
    steps = [curve(ocio.TRANSFORM_DIR_FORWARD), matrix(SRGB_TO_P3), curve(ocio.TRANSFORM_DIR_INVERSE)]
    return row(steps, form, lambda c: encode(decode(c) @ SRGB_TO_P3.T), limit)


def look_table(colors):
    """The look of Tests/Benchmarks/Tables.swift."""
    mean = (colors @ [0.25, 0.6, 0.15])[..., None]
    mixed = np.clip(mean + 1.2 * (colors - mean), 0, 1)
    return mixed * mixed * (3 - 2 * mixed)


def look(form, limit):
    axis = np.linspace(0, 1, 33)
    grid = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), -1)
    values = look_table(grid).astype(np.float32)
    table = ocio.Lut3DTransform(gridSize=33)
    table.setInterpolation(ocio.INTERP_TETRAHEDRAL)
    table.setData(np.ascontiguousarray(values).reshape(-1))

    def tetrahedral(colors):
        place = np.clip(colors, 0, 1) * 32
        corner = np.minimum(place.astype(int), 31)
        rest = place - corner
        order = np.argsort(-rest, -1, kind="stable")
        sorted_rest = np.take_along_axis(rest, order, -1)
        result, before = np.zeros_like(colors), np.ones(len(colors))
        for step in range(4):
            after = sorted_rest[:, step] if step < 3 else np.zeros(len(colors))
            result += (before - after)[:, None] * values[corner[:, 0], corner[:, 1], corner[:, 2]]
            if step < 3:
                corner[np.arange(len(colors)), order[:, step]] += 1
            before = after
        return result

    return row([table], form, tetrahedral, limit)


def gamut_compression():
    limits = [1.147, 1.264, 1.312, 0.815, 0.803, 0.880, 1.2]
    style = ocio.FixedFunctionTransform(ocio.FIXED_FUNCTION_ACES_GAMUT_COMP_13, limits)

    def reference(colors):
        # Baselight's curve of the distance from the maximum, with the ACES 1.3 parameters.
        most = colors.max(-1, keepdims=True)
        distance = np.where(most == 0, 0, (most - colors) / np.where(most == 0, 1, np.abs(most)))
        reach, threshold, power = np.array(limits[:3]), np.array(limits[3:6]), limits[6]
        scale = (reach - threshold) / (((1 - threshold) / (reach - threshold)) ** -power - 1) ** (1 / power)
        over = np.maximum(distance - threshold, 0) / scale
        compressed = threshold + scale * over / (1 + over ** power) ** (1 / power)
        return most - np.where(distance < threshold, distance, compressed) * np.abs(most)

    return row([style], "f32", reference, 1e-4)


LMS = np.array([[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005]])
LAB = np.array([[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660]])

peer.main(f"OpenColorIO {ocio.GetVersion()}", {
    **{f"srgb-p3-{form}": conversion(form, limit)
       for form, limit in [("f32", 3e-5), ("f16", 1e-3), ("u16", 1e-4), ("u8", 3e-3)]},
    **{f"look-{form}": look(form, limit) for form, limit in [("f32", 1e-6), ("f16", 1e-3), ("u16", 1e-5), ("u8", 3e-3)]},
    "p3-linear-f16": row([curve(ocio.TRANSFORM_DIR_FORWARD)], "f16", decode, 1e-3),
    "aces-gamut": gamut_compression(),
    "oklab": row([matrix(LMS), ocio.ExponentTransform([1 / 3, 1 / 3, 1 / 3, 1], ocio.NEGATIVE_MIRROR), matrix(LAB)], "f32",
                 lambda c: np.cbrt(c @ LMS.T) @ LAB.T, 5e-5),
})
