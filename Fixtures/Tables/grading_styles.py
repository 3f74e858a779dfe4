#!/usr/bin/env python3
"""Writes grading_styles.json, or another file with other seeds: what OpenColorIO makes of colors by random grades.

    python3 grading_styles.py [SEED COLORS GRADES FILE]

It needs PyOpenColorIO 2.6. Each grade is a recipe of Colorloom; a color that does not stay finite is null.
"""
import json
import math
import os
import random
import re
import struct
import sys

import PyOpenColorIO as ocio

HERE = os.path.dirname(os.path.abspath(__file__))
STYLES = [("linear", ocio.GRADING_LIN, ocio.EXPOSURE_CONTRAST_LINEAR),
          ("video", ocio.GRADING_VIDEO, ocio.EXPOSURE_CONTRAST_VIDEO),
          ("logarithmic", ocio.GRADING_LOG, ocio.EXPOSURE_CONTRAST_LOGARITHMIC)]


def number(low, high):
    return round(random.uniform(low, high), 4)


def numbers(count, low, high):
    return [number(low, high) for _ in range(count)]


def single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def applied(transform, colors):
    processor = ocio.Config.CreateRaw().getProcessor(transform).getOptimizedCPUProcessor(
        ocio.BIT_DEPTH_F32, ocio.BIT_DEPTH_F32, ocio.OPTIMIZATION_NONE)
    results = [processor.applyRGB(list(color)) for color in colors]
    return [[float("%.8g" % x) for x in row] if all(math.isfinite(x) and abs(x) < 1e30 for x in row) else None
            for row in results]


def hyphenated(name):
    return re.sub("([A-Z])", lambda match: "-" + match[1].lower(), name)


def case(name, style, parameters, transform, colors, has_inverse=True):
    recipe = {hyphenated(key): value for key, value in parameters.items()}
    if style:
        recipe["style"] = style
    result = {"filter": name, "recipe": json.dumps(recipe), "out": applied(transform, colors)}
    if has_inverse:
        transform.setDirection(ocio.TRANSFORM_DIR_INVERSE)
        result["inverse"] = applied(transform, colors)
    return result


def exposure_contrast(style, kind):
    parameters = dict(exposure=number(-2, 2), contrast=number(0.6, 1.6), gamma=number(0.7, 1.4), pivot=number(0.1, 0.5),
                      logExposureStep=number(0.05, 0.12), logMidGray=number(0.3, 0.5))
    return parameters, ocio.ExposureContrastTransform(style=kind, **parameters)


def primary(style, kind):
    ranges = {"logarithmic": {"brightness": (-10, 10), "contrast": (0.7, 1.4), "gamma": (0.7, 1.4)},
              "linear": {"contrast": (0.7, 1.4), "offset": (-0.1, 0.1), "exposure": (-1, 1)},
              "video": {"gamma": (0.7, 1.4), "offset": (-0.1, 0.1), "lift": (-0.1, 0.1), "gain": (0.8, 1.3)}}[style]
    parameters = {name: numbers(4, *bounds) for name, bounds in ranges.items()}
    parameters.update(saturation=number(0.4, 1.6), pivotBlack=number(-0.1, 0.1), pivotWhite=number(0.8, 1.2))
    if style != "video":
        parameters["pivot"] = number(-0.5, 0.5)
    if random.random() < 0.5:
        parameters.update(clampBlack=number(-0.05, 0.05), clampWhite=number(0.9, 3))
    grade = ocio.GradingPrimary(kind)
    for name, value in parameters.items():
        setattr(grade, name, ocio.GradingRGBM(*value) if isinstance(value, list) else value)
    return parameters, ocio.GradingPrimaryTransform(grade, kind, False)


def curves(style, kind):
    low, high = (-7, 7) if style == "linear" else (0, 1)
    parameters, splines = {}, []
    for channel in ["red", "green", "blue", "master"]:
        xs = sorted(random.sample(range(1, 40), random.randint(2, 6)))
        points = [[round(low + (high - low) * x / 40, 4), round(low + (high - low) * y, 4)]
                  for x, y in zip(xs, sorted(numbers(len(xs), 0, 1)))]
        spline = ocio.GradingBSplineCurve([x for point in points for x in point])
        parameters[channel] = {"points": points}
        if random.random() < 0.3:
            parameters[channel]["slopes"] = numbers(len(points), 0.2, 2)
            spline.setSlopes(parameters[channel]["slopes"])
        splines.append(spline)
    parameters["bypassLogarithm"] = style == "linear" and random.random() < 0.3
    transform = ocio.GradingRGBCurveTransform(ocio.GradingRGBCurve(*splines), kind, False)
    transform.setBypassLinToLog(parameters["bypassLogarithm"])
    return parameters, transform


def tone(style, kind, is_moved):
    grade, parameters = ocio.GradingTone(kind), {}
    reach = 1 if style == "linear" else 0.05
    for zone, low, high in [("blacks", 0.1, 1.9), ("shadows", 0.2, 1.8), ("midtones", 0.1, 1.9),
                            ("highlights", 0.2, 1.8), ("whites", 0.1, 1.9)]:
        values = [number(low, high) if random.random() < 0.7 else 1.0 for _ in range(4)]
        start, width = getattr(grade, zone).start, getattr(grade, zone).width
        parameters[zone] = {"values": values}
        if is_moved:
            start, width = round(start + number(-reach, reach), 4), round(width + number(-reach, reach), 4)
            parameters[zone].update(start=start, width=width)
        setattr(grade, zone, ocio.GradingRGBMSW(*values, start, width))
    grade.scontrast = parameters["sContrast"] = number(0.2, 1.8)
    return parameters, ocio.GradingToneTransform(grade, kind, False)


def logarithm(is_camera, has_slope):
    parameters = dict(base=random.choice([2, 10, number(1.5, 20)]), logSideSlope=numbers(3, 0.1, 0.6),
                      logSideOffset=numbers(3, 0.2, 0.5), linSideSlope=numbers(3, 0.8, 6),
                      linSideOffset=numbers(3, 0.01, 0.1))
    if is_camera:
        parameters["linSideBreak"] = numbers(3, 0.001, 0.02)
        transform = ocio.LogCameraTransform(parameters["linSideBreak"])
        if has_slope:
            parameters["linearSlope"] = numbers(3, 2, 8)
            transform.setLinearSlopeValue(parameters["linearSlope"])
    else:
        transform = ocio.LogAffineTransform()
    transform.setBase(parameters["base"])
    transform.setLogSideSlopeValue(parameters["logSideSlope"])
    transform.setLogSideOffsetValue(parameters["logSideOffset"])
    transform.setLinSideSlopeValue(parameters["linSideSlope"])
    transform.setLinSideOffsetValue(parameters["linSideOffset"])
    return parameters, transform


def main():
    arguments = sys.argv[1:] or ["7", "6", "2", f"{HERE}/grading_styles.json"]
    seed, count, grades = map(int, arguments[:3])
    random.seed(seed)
    colors = [[single(x) for x in numbers(3, 0, 1)] for _ in range(count)]
    colors += [[single(x) for x in numbers(3, -0.4, 4)] for _ in range(count // 2)]
    colors += [[0, 0, 0], [1, 1, 1], [single(0.18)] * 3, [-0.25, single(0.001), 6]]
    cases = []
    for style, kind, exposure_kind in STYLES:
        for index in range(grades):
            cases.append(case("exposure-contrast", style, *exposure_contrast(style, exposure_kind), colors))
            cases.append(case("grading-primary", style, *primary(style, kind), colors))
            cases.append(case("grading-curves", style, *curves(style, kind), colors))
            cases.append(case("grading-tone", style, *tone(style, kind, index % 2 == 1), colors, has_inverse=False))
    for index in range(2 * grades):
        cases.append(case("log-curve", "", *logarithm(index >= grades, index % 2 == 1), colors))
    with open(arguments[3], "w") as file:
        json.dump({"input": [[float("%.9g" % x) for x in color] for color in colors], "cases": cases}, file,
                  separators=(",", ":"))


if __name__ == "__main__":
    main()
