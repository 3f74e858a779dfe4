"""What the peers in Python share: the images, timing, and the line of JSON that `compare` reads."""
import argparse
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

SIZES = {"1m": (1000, 1000), "12m": (4000, 3000), "24m": (6000, 4000)}


class Images:
    """The raw images of one size, RGBA interleaved."""

    def __init__(self, folder, size):
        self.folder, self.size = folder, size
        self.width, self.height = SIZES[size]

    def load(self, form):
        import numpy as np
        kind = {"f32": np.float32, "f16": np.float16, "u16": np.uint16, "u8": np.uint8}[form]
        path = f"{self.folder}/rgba_{form}_{self.size}.raw"
        return np.fromfile(path, kind).reshape(self.height, self.width, 4)

    def places(self, count=400, margin=0):
        """Places all over the picture, at least `margin` pixels from its edges."""
        for index in range(count):
            yield (margin + index * 7919 % (self.width - 2 * margin),
                   margin + index * 104729 % (self.height - 2 * margin))


def bands(threads, height, body):
    """Calls body(first, end) for bands of rows, one for each thread."""
    if threads == 1:
        return body(0, height)
    edges = [height * index // threads for index in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(body, edges[:-1], edges[1:]))


def timed(work):
    """Milliseconds of wall clock and of processor time."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3


def main(name, rows):
    """Runs a row: rows[row](images, threads) gives the work, a function that gives its largest error, and the limit of that. A
    fourth one, if there is one, is work whose time is subtracted."""
    parser = argparse.ArgumentParser()
    parser.add_argument("row")
    parser.add_argument("--size", default="24m", choices=list(SIZES))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--data", required=True)
    parser.add_argument("--profile")
    options = parser.parse_args()
    if options.row not in rows:
        sys.exit(f"{name} has no row {options.row}. It has {', '.join(rows)}.")
    images = Images(options.data, options.size)
    images.profile = options.profile
    work, error, limit, *less = rows[options.row](images, options.threads)
    work()
    wrong = float(error())
    line = {"peer": name, "error": wrong, "limit": limit, "ms": [], "cpu_ms": []}
    if wrong <= limit:
        for _ in range(options.reps):
            wall, processor = timed(work)
            for part in less:
                part_wall, part_processor = timed(part)
                wall, processor = wall - part_wall, processor - part_processor
            line["ms"].append(wall)
            line["cpu_ms"].append(processor)
    print(json.dumps(line))
