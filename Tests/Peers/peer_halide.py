#!/usr/bin/env python3
"""Halide, scheduled by hand (fused, 16 lanes, parallel rows) and compiled for this machine: Oklab and Gaussians of float RGBA."""
import os
import sys

import numpy as np

import peer

if "--threads" in sys.argv:
    os.environ["HL_NUM_THREADS"] = sys.argv[sys.argv.index("--threads") + 1]
import halide as hl  # noqa: E402  It reads the variable.

TARGET = hl.Target("host")
LANES = 16 if "avx512" in str(TARGET) else 8
x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")


def f(value):
    return hl.f32(float(value))


def oklab(images, threads):
    lms = [[0.4122214708, 0.5363325363, 0.0514459929], [0.2119034982, 0.6806995451, 0.1073969566],
           [0.0883024619, 0.2817188376, 0.6299787005]]
    lab = [[0.2104542553, 0.7936177850, -0.0040720468], [1.9779984951, -2.4285922050, 0.4505937099],
           [0.0259040371, 0.7827717662, -0.8086757660]]
    source = images.load("f32")
    target = np.empty_like(source)
    image = hl.ImageParam(hl.Float(32), 3)
    image.dim(0).set_bounds(0, 4).set_stride(1)
    image.dim(1).set_stride(4)

    def times(matrix, v):
        return [f(row[0]) * v[0] + f(row[1]) * v[1] + f(row[2]) * v[2] for row in matrix]

    def root(v):
        # From an approximation by the exponent, by Newton: three steps.
        start = hl.reinterpret(hl.Float(32), hl.cast(hl.Int(32), hl.cast(hl.Float(32), hl.reinterpret(hl.Int(32), v)) / f(3))
                               + 709921077)
        for _ in range(3):
            start = (f(2) * start + v / (start * start)) * f(1 / 3)
        return hl.select(v > f(0), start, f(0))

    stage, result = hl.Func("stage"), hl.Func("result")
    stage[x, y] = tuple(times(lab, [root(v) for v in times(lms, [image[i, x, y] for i in range(3)])]))
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
        return np.abs(np.cbrt(colors @ np.array(lms).T) @ np.array(lab).T - target.reshape(-1, 4)[::97, :3]).max()

    return lambda: result.realize(out), error, 1e-5


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
            return max(
                np.abs(np.einsum("y,x,yxc", exact, exact, source[b - 6 * sigma:b + 6 * sigma + 1,
                                                               a - 6 * sigma:a + 6 * sigma + 1].astype(np.float64))
                       - target[b, 4 * a:4 * a + 4]).max()
                for a, b in images.places(100, 6 * sigma))

        # Halide does not own the arrays that its buffers show.
        return lambda shown=(weights, flat): result.realize(out), error, 2e-4
    return row


peer.main("Halide", {"oklab": oklab, "gauss-8": gauss(8), "gauss-2": gauss(2)})
