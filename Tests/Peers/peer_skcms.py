#!/usr/bin/env python3
"""skcms, through Skia: CMYK to sRGB by a profile.

Skia gives skcms no inks but those of files. A JPEG file is decoded to sRGB, and once more without a color space, where Skia multiplies the inks
instead; the difference of the two times counts, so that skcms looks faster than it is by the time of the products.
"""
import io

import numpy as np
import skia
from PIL import Image, ImageCms

import peer


def cmyk(images, threads):
    if threads != 1:
        raise SystemExit("Skia converts a file on one thread.")
    # The same inks as in Tests/Benchmarks/Tables.swift.
    inks = 255 - images.load("u8")
    inks[..., 3] = inks[..., :3].min(axis=2)
    inks //= 2
    with open(images.profile, "rb") as profile:
        press = profile.read()
    file = io.BytesIO()
    Image.fromarray(inks, "CMYK").save(file, "JPEG", quality=90, icc_profile=press)
    data = skia.Data.MakeWithCopy(file.getvalue())
    target = np.zeros_like(inks)

    def decode(space):
        codec = skia.Codec.MakeFromData(data)
        info = codec.getInfo().makeColorType(skia.kRGBA_8888_ColorType).makeColorSpace(space)
        if codec.getPixels(info, target, target.strides[0]) != skia.Codec.kSuccess:
            raise SystemExit("Skia does not decode the file.")

    def error():
        # Beside Little CMS, of the same decoded inks.
        some = np.ascontiguousarray(np.asarray(Image.open(io.BytesIO(file.getvalue())))[::41, ::41])
        exact = ImageCms.profileToProfile(
            Image.fromarray(some, "CMYK"), ImageCms.ImageCmsProfile(io.BytesIO(press)), ImageCms.createProfile("sRGB"),
            renderingIntent=ImageCms.Intent.PERCEPTUAL, outputMode="RGB", flags=ImageCms.Flags.NOOPTIMIZE)
        return np.abs(np.asarray(exact).astype(float) - target[::41, ::41, :3]).max() / 255

    # skcms interpolates otherwise than Little CMS: on average 1 code of 255 apart, at most 4.
    return lambda: decode(skia.ColorSpace.MakeSRGB()), error, 5 / 255, lambda: decode(None)


peer.main(f"skcms in Skia {skia.__version__}", {"cmyk-u8": cmyk})
