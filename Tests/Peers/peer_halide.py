#!/usr/bin/env python3
"""Halide, scheduled by hand (fused, 16 lanes, parallel rows) and compiled for this machine: float RGBA."""
import os
import sys

import numpy as np

import peer

if "--threads" in sys.argv:
    os.environ["HL_NUM_THREADS"] = sys.argv[sys.argv.index("--threads") + 1]
import halide as hl  # noqa: E402  It reads the variable.

TARGET = hl.Target("x86-64-linux-avx-avx2-f16c-fma-sse41" if os.environ.get("PEERS_ISA") == "avx2" else "host")
LANES = 16 if "avx512" in str(TARGET) else 8
x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")


def f(value):
    return hl.f32(float(value))


def pixels(images, change, exact, limit):
    """A change of each color by itself: `change` of three expressions, `exact` of an array of colors in double precision."""
    source = images.load("f32")
    target = np.empty_like(source)
    image = hl.ImageParam(hl.Float(32), 3)
    image.dim(0).set_bounds(0, 4).set_stride(1)
    image.dim(1).set_stride(4)
    stage, result = hl.Func("stage"), hl.Func("result")
    stage[x, y] = tuple(change([image[i, x, y] for i in range(3)]))
    result[c, x, y] = hl.mux(c, [stage[x, y][i] for i in range(3)] + [image[3, x, y]])
    result.reorder(c, x, y).bound(c, 0, 4).unroll(c).vectorize(x, LANES).parallel(y, 16)
    result.output_buffer().dim(0).set_bounds(0, 4).set_stride(1)
    result.output_buffer().dim(1).set_stride(4)
    stage.compute_at(result, x).vectorize(x, LANES)
    result.compile_jit(TARGET)
    image.set(hl.Buffer(source))
    out = hl.Buffer(target)

    def error():
        colors = source.reshape(-1, 4)[::97, :3].astype(np.float64)
        return np.abs(exact(colors) - target.reshape(-1, 4)[::97, :3]).max()

    return lambda: result.realize(out), error, limit


def times(matrix, v):
    return [f(row[0]) * v[0] + f(row[1]) * v[1] + f(row[2]) * v[2] for row in matrix]


def oklab(images, threads):
    lms = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
           [0.0883024619, 0.2817188376, 0.6299787005]]
    lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
           [0.0259040371, 0.7827717662, -0.8086757660]]

    def root(v):
        # From an approximation by the exponent, by Newton: three steps.
        start = hl.reinterpret(hl.Float(32), hl.cast(hl.Int(32), hl.cast(hl.Float(32), hl.reinterpret(hl.Int(32), v)) / f(3))
                               + 709921077)
        for _ in range(3):
            start = (f(2) * start + v / (start * start)) * f(1 / 3)
        return hl.select(v > f(0), start, f(0))

    return pixels(images, lambda v: times(lab, [root(v) for v in times(lms, v)]),
                  lambda v: np.cbrt(v @ np.array(lms).T) @ np.array(lab).T, 1e-5)


def curves(images, threads):
    """Three tables of 1,024 entries, inversion, matrix and exposure, sRGB's encoding by a power."""
    at = np.linspace(0, 1, 1024)
    tables = np.stack([at - 0.15 * np.sin(2 * np.pi * at) / np.pi, at ** 0.8, at * at * (3 - 2 * at) * 0.6 + 0.4 * at])
    tables = tables.astype(np.float32)
    entries = hl.Buffer(tables)
    to_p3 = np.array([[0.8224619687, 0.1775380313, 0], [0.0331941989, 0.9668058011, 0],
                      [0.0170826307, 0.0723974407, 0.9105199286]]) * 2 ** 0.5
    mantissas, parts = np.linspace(1 + 1e-7, 2, 4001), np.linspace(0, 1, 4001)
    fit = np.polynomial.chebyshev.Chebyshev.fit
    logarithm = fit(mantissas, np.log2(mantissas) / (mantissas - 1), 6).convert(kind=np.polynomial.Polynomial).coef
    exponential = fit(parts, 2 ** parts, 5).convert(kind=np.polynomial.Polynomial).coef

    def horner(coefficients, v):
        value = f(coefficients[-1])
        for coefficient in coefficients[-2::-1]:
            value = value * v + f(coefficient)
        return value

    def encoded(v):
        bits = hl.reinterpret(hl.Int(32), hl.max(v, f(1e-10)))
        mantissa = hl.reinterpret(hl.Float(32), (bits & 0x7fffff) | 0x3f800000)
        exponent = (horner(logarithm, mantissa) * (mantissa - f(1)) + hl.cast(hl.Float(32), (bits >> 23) - 127)) * f(1 / 2.4)
        whole = hl.floor(exponent)
        power = horner(exponential, exponent - whole) * hl.reinterpret(hl.Float(32), (hl.cast(hl.Int(32), whole) + 127) << 23)
        return hl.select(v <= f(0.0031308), v * f(12.92), f(1.055) * power - f(0.055))

    def curve(v, channel):
        place = hl.clamp(v, f(0), f(1)) * f(1023)
        first = hl.min(hl.cast(hl.Int(32), place), 1022)
        low, high = entries[first, channel], entries[first + 1, channel]
        return low + (place - hl.cast(hl.Float(32), first)) * (high - low)

    def exact(colors):
        inverted = [1 - np.interp(colors[:, k], at, tables[k].astype(np.float64)) for k in range(3)]
        linear = np.stack(inverted, -1) @ to_p3.T
        return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.maximum(linear, 1e-10) ** (1 / 2.4) - 0.055)

    return pixels(images, lambda v: [encoded(q) for q in times(to_p3, [f(1) - curve(q, k) for k, q in enumerate(v)])],
                  exact, 1e-5)


def lanczos(divisor):
    """Lanczos 3: columns first, then rows in steps of four floats."""
    def weights(length, count):
        scale = length / count
        reach = int(np.ceil(6 * scale))
        first = np.floor((np.arange(count) + 0.5) * scale - 3 * scale + 0.5).astype(np.int32)
        offsets = (first[:, None] + np.arange(reach) + 0.5 - (np.arange(count)[:, None] + 0.5) * scale) / scale
        values = np.where(np.abs(offsets) < 3, np.sinc(offsets) * np.sinc(offsets / 3), 0)
        return (values / values.sum(1, keepdims=True)).astype(np.float32), first

    def row(images, threads):
        source = images.load("f32")
        height, width = source.shape[:2]
        (tall, top), (wide, left) = weights(height, height // divisor), weights(width, width // divisor)
        flat = source.reshape(height, 4 * width)
        target = np.empty((height // divisor, width // divisor, 4), np.float32)
        image = hl.ImageParam(hl.Float(32), 2)
        w_tall, w_wide, b_top, b_left = hl.Buffer(tall), hl.Buffer(wide), hl.Buffer(top), hl.Buffer(left)
        down, line, across, result = hl.Func("down"), hl.Func("line"), hl.Func("across"), hl.Func("result")
        r_tall, r_wide = hl.RDom([(0, tall.shape[1])]), hl.RDom([(0, wide.shape[1])])
        outer, inner = hl.Var("outer"), hl.Var("inner")

        def inside(place, count):
            return hl.clamp(place, 0, count - 1)

        down[x, y] = f(0)
        down[x, y] += w_tall[r_tall, y] * image[x, inside(hl.unsafe_promise_clamped(b_top[y], -100, height + 100) + r_tall, height)]
        line[x, y] = down[x, y]
        across[c, x, y] = f(0)
        across[c, x, y] += (w_wide[r_wide, x] * line[
            inside(hl.unsafe_promise_clamped(b_left[x], -100, width + 100) + r_wide, width) * 4 + c, y])
        result[c, x, y] = across[c, x, y]
        result.bound(c, 0, 4).reorder(c, x, y).vectorize(c).unroll(x, 4).parallel(y, 8)
        result.output_buffer().dim(0).set_bounds(0, 4).set_stride(1)
        result.output_buffer().dim(1).set_stride(4)
        across.compute_at(result, x).vectorize(c).unroll(x)
        across.update().reorder(c, x, r_wide, y).vectorize(c).unroll(x)
        line.compute_at(result, y).split(x, outer, inner, 8 * LANES, hl.TailStrategy.ShiftInwards).vectorize(inner, LANES)
        line.unroll(inner)
        down.compute_at(line, outer).vectorize(x, LANES).unroll(x)
        down.update().reorder(x, r_tall, y).vectorize(x, LANES).unroll(x)
        result.compile_jit(TARGET)
        image.set(hl.Buffer(flat))
        out = hl.Buffer(target)

        def error():
            worst = 0
            for a, b in images.places(200, 20 * divisor):
                a, b = a // divisor, b // divisor
                part = source[top[b]:top[b] + tall.shape[1], left[a]:left[a] + wide.shape[1]].astype(np.float64)
                value = np.einsum("y,x,yxc", tall[b].astype(np.float64), wide[a].astype(np.float64), part)
                worst = np.maximum(worst, np.abs(value - target[b, a]).max())
            return worst

        # Halide does not own the arrays that its buffers show.
        return lambda shown=(tall, top, wide, left, flat): result.realize(out), error, 1e-5
    return row


def gauss(sigma):
    def row(images, threads):
        reach = 4 * sigma
        weights = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * sigma * sigma))
        weights = (weights / weights.sum()).astype(np.float32)
        source = images.load("f32")
        height, width = source.shape[:2]
        # The edges are repeated before the clock runs; its last vectors reach 16 pixels further.
        padded = np.pad(source, ((reach, reach), (reach, reach + 16), (0, 0)), mode="edge")
        flat = padded.reshape(padded.shape[0], -1)
        target = np.empty((height, 4 * width), np.float32)
        image, taps = hl.ImageParam(hl.Float(32), 2), hl.Buffer(weights)
        down, across, r = hl.Func("down"), hl.Func("across"), hl.RDom([(0, 2 * reach + 1)])
        down[x, y] = f(0)
        down[x, y] += taps[r] * image[x, y + r]
        across[x, y] = f(0)
        across[x, y] += taps[r] * down[x + 4 * r, y]
        result, inner, outer = hl.Func("result"), hl.Var("inner"), hl.Var("outer")
        result[x, y] = across[x, y]
        result.split(x, outer, inner, 4 * LANES).vectorize(inner, LANES).unroll(inner).parallel(y, 8)
        across.compute_at(result, outer).vectorize(x, LANES).unroll(x)
        across.update().reorder(x, r, y).vectorize(x, LANES).unroll(x)
        down.compute_at(result, y).vectorize(x, LANES)
        down.update().split(x, outer, inner, 4 * LANES).reorder(inner, r, outer, y).vectorize(inner, LANES).unroll(inner)
        result.compile_jit(TARGET)
        image.set(hl.Buffer(flat))
        out = hl.Buffer(target)
        exact = np.exp(-np.arange(-6 * sigma, 6 * sigma + 1) ** 2 / (2 * sigma * sigma))
        exact /= exact.sum()

        def error():
            return np.max([
                np.abs(np.einsum("y,x,yxc", exact, exact, source[b - 6 * sigma:b + 6 * sigma + 1,
                                                               a - 6 * sigma:a + 6 * sigma + 1].astype(np.float64))
                       - target[b, 4 * a:4 * a + 4]).max()
                for a, b in images.places(100, 6 * sigma)])

        # Halide does not own the arrays that its buffers show.
        return lambda shown=(weights, flat): result.realize(out), error, 2e-4
    return row


peer.main("Halide", {"oklab": oklab, "curves": curves, "lanczos-4": lanczos(4), "lanczos-2": lanczos(2), "gauss-8": gauss(8),
                     "gauss-2": gauss(2)})
