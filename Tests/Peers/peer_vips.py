#!/usr/bin/env python3
"""libvips through pyvips: Lanczos 3 of float RGBA, and Gaussians."""
import os
import sys

import numpy as np

import peer

if "--threads" in sys.argv:
    os.environ["VIPS_CONCURRENCY"] = sys.argv[sys.argv.index("--threads") + 1]
import pyvips  # noqa: E402  It reads the variable.

pyvips.cache_set_max(0)


def picture(source):
    return pyvips.Image.new_from_memory(source.data, source.shape[1], source.shape[0], 4, "float")


def lanczos(divisor):
    def weights(index):
        center = (index + 0.5) * divisor
        taps = np.arange(int(center - 3 * divisor), int(center + 3 * divisor) + 1)
        x = (taps + 0.5 - center) / divisor
        values = np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)
        return taps, values / values.sum()

    def row(images, threads):
        source = images.load("f32")
        result = {}

        def work():
            resized = picture(source).resize(1 / divisor, kernel="lanczos3", gap=0)
            result["pixels"] = np.frombuffer(resized.write_to_memory(), np.float32).reshape(
                resized.height, resized.width, 4)

        def error():
            worst = 0
            height, width = result["pixels"].shape[:2]
            for index in range(100):
                x, y = 20 + index * 7919 % (width - 40), 20 + index * 104729 % (height - 40)
                (columns, across), (lines, down) = weights(x), weights(y)
                part = source[np.ix_(lines, columns)].astype(np.float64)
                worst = np.maximum(worst, np.abs(np.einsum("y,x,yxc", down, across, part) - result["pixels"][y, x]).max())
            return worst

        return work, error, 1e-6
    return row


def gauss(sigma):
    def row(images, threads):
        source = images.load("f32")
        result = {}
        reach = 6 * sigma
        taps = np.exp(-np.arange(-reach, reach + 1) ** 2 / (2 * sigma * sigma))
        taps /= taps.sum()

        def work():
            blurred = picture(source).gaussblur(sigma, min_ampl=0.01, precision="float")
            result["pixels"] = np.frombuffer(blurred.write_to_memory(), np.float32).reshape(source.shape)

        def error():
            return np.max([
                np.abs(np.einsum("y,x,yxc", taps, taps,
                                 source[y - reach:y + reach + 1, x - reach:x + reach + 1].astype(np.float64))
                       - result["pixels"][y, x]).max()
                for x, y in images.places(100, reach)])

        return work, error, 2e-3
    return row


peer.main(f"libvips {pyvips.version(0)}.{pyvips.version(1)}.{pyvips.version(2)}", {
    "lanczos-4-rgba": lanczos(4), "lanczos-2-rgba": lanczos(2), "gauss-8": gauss(8), "gauss-2": gauss(2)})
