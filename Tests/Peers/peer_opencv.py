#!/usr/bin/env python3
"""OpenCV: medians, morphology, slopes, convolutions, the guided filter, Gaussians and unsharp masks of float RGBA.

Edges are repeated, as Colorloom does. OpenCV's median of floats knows squares of 3 and 5 to a side; that of 11 is of bytes.
"""
import cv2
import numpy as np

import peer

EDGE = cv2.BORDER_REPLICATE


def square(source, x, y, radius):
    """The pixels of a square, those of the edges repeated, in double precision."""
    rows = np.clip(np.arange(y - radius, y + radius + 1), 0, source.shape[0] - 1)
    columns = np.clip(np.arange(x - radius, x + radius + 1), 0, source.shape[1] - 1)
    return source[np.ix_(rows, columns)].astype(np.float64)


def filtering(work, pixel, radius, limit, form="f32", unit=1, margin=0):
    """A row: `work(source, target)` filters, and `pixel(square)` gives the pixel in the middle of a square.

    Places less than `margin` pixels from the edges are not checked.
    """
    def row(images, threads):
        cv2.setNumThreads(threads)
        source = images.load(form)
        target = np.empty_like(source)

        def error():
            # NaN is the maximum where there is one; Python's max would ignore it.
            return np.max([np.abs(target[y, x] - pixel(square(source, x, y, radius))).max()
                           for x, y in images.places(200, margin)]) / unit

        return lambda: work(source, target), error, limit
    return row


def median(values):
    return np.median(values.reshape(-1, 4), axis=0)


def sobel(source, target):
    across = cv2.Sobel(source, cv2.CV_32F, 1, 0, borderType=EDGE)
    down = cv2.Sobel(source, cv2.CV_32F, 0, 1, borderType=EDGE)
    # Alpha, too: OpenCV has no call that leaves a channel out for less.
    cv2.magnitude(across, down, target)


def slopes(values):
    weights = np.outer([1, 2, 1], [-1, 0, 1])[..., None]
    return np.hypot((values * weights).sum((0, 1)), (values * weights.swapaxes(0, 1)).sum((0, 1)))


# The same 49 weights as in Tests/Benchmarks.
TABLE = np.array([[(3 * row + 5 * column) % 7 - 2.5 for column in range(7)] for row in range(7)]) / 24.5


def convolve(source, target):
    cv2.filter2D(source, -1, TABLE.astype(np.float32), target, borderType=EDGE)


def guided(source, target, radius=4, epsilon=0.01):
    """He's filter with the picture as its own guide: four means and what is between them."""
    side = (2 * radius + 1,) * 2
    mean = cv2.boxFilter(source, -1, side, borderType=EDGE)
    variance = cv2.sqrBoxFilter(source, -1, side, borderType=EDGE) - mean * mean
    slope = variance / (variance + epsilon)
    base = mean - slope * mean
    cv2.boxFilter(slope, -1, side, slope, borderType=EDGE)
    cv2.boxFilter(base, -1, side, base, borderType=EDGE)
    np.multiply(slope, source, target)
    np.add(target, base, target)


def guided_pixel(values, radius=4, epsilon=0.01):
    side = 2 * radius + 1
    windows = np.lib.stride_tricks.sliding_window_view(values, (side, side), (0, 1))
    mean = windows.mean((-2, -1))
    variance = (windows ** 2).mean((-2, -1)) - mean ** 2
    slope = variance / (variance + epsilon)
    return slope.mean((0, 1)) * values[2 * radius, 2 * radius] + (mean - slope * mean).mean((0, 1))


def gauss(sigma, radius):
    distance = np.arange(-radius, radius + 1)
    weights = np.exp(-distance ** 2 / (2 * sigma * sigma))
    weights = np.outer(weights, weights)[..., None] / weights.sum() ** 2
    return lambda values: (values * weights).sum((0, 1))


def blur(sigma):
    # OpenCV's own side for floats: four deviations to each side. The reference reaches six.
    return filtering(lambda source, target: cv2.GaussianBlur(source, (0, 0), sigma, target, borderType=EDGE),
                     gauss(sigma, 6 * sigma), 6 * sigma, 2e-4)


def sharpen(source, target):
    cv2.GaussianBlur(source, (0, 0), 2, target, borderType=EDGE)
    cv2.addWeighted(source, 2, target, -1, 0, target)


sharp = gauss(2, 12)
BOX = cv2.getStructuringElement(cv2.MORPH_RECT, (5, 5))

peer.main(f"OpenCV {cv2.__version__}", {
    "median-1": filtering(lambda s, t: cv2.medianBlur(s, 3, t), median, 1, 0),
    "median-2": filtering(lambda s, t: cv2.medianBlur(s, 5, t), median, 2, 0),
    "median-5-u8": filtering(lambda s, t: cv2.medianBlur(s, 11, t), median, 5, 0, form="u8"),
    "dilate-2": filtering(lambda s, t: cv2.dilate(s, BOX, t, borderType=EDGE), lambda v: v.max((0, 1)), 2, 0),
    "sobel": filtering(sobel, slopes, 1, 1e-6),
    "convolve-7": filtering(convolve, lambda v: (v * TABLE[..., None]).sum((0, 1)), 3, 2e-6),
    # It repeats the slopes of the edges, Colorloom the pixels.
    "guided-4": filtering(guided, guided_pixel, 8, 1e-5, margin=8),
    "gauss-2": blur(2),
    "gauss-8": blur(8),
    "unsharp-2": filtering(sharpen, lambda v: 2 * v[12, 12] - sharp(v), 12, 4e-4),
})
