#!/usr/bin/env python3
"""The roofline: numpy copies the pixels, one band of rows a thread."""
import numpy as np

import peer


def copy(form):
    def row(images, threads):
        source = images.load(form)
        target = np.empty_like(source)

        def band(first, end):
            np.copyto(target[first:end], source[first:end])

        return (lambda: peer.bands(threads, images.height, band),
                lambda: 0 if np.array_equal(source, target) else 1, 0)
    return row


peer.main("copy", {f"copy-{form}": copy(form) for form in ["f32", "f16", "u16", "u8"]})
