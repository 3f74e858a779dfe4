"""Prints the jobs of this example: for `make`, those that paint 200 pictures; for `convert`, those that change them."""

import json
import sys

COUNT = 200

for number in range(COUNT):
    name = f"{number:03}.png"
    if sys.argv[1] == "make":
        run = ["triangle", f"in/{name}", "--space", "p3", "--size", f"{40 + number % 17}x{30 + number % 11}"]
    else:
        run = ["convert", f"in/{name}", f"out/{name}", "--exposure", str(number / 100 - 1), "--fit", "24"]
        run += ["--to", "sRGB", "--gamut", "css"]
    print(json.dumps({"id": number, "run": run}))
