"""The symbol graphs of the package's modules, which `.ci/public-api` and `.ci/site` read. Needs a release build."""
import json
import pathlib
import subprocess

root = pathlib.Path(__file__).resolve().parent.parent
build = root / ".build/release"
modules = ["ColorSpaces", "ImageBuffer", "FilterGraph", "ICCProfiles", "ImageFiles", "ColorloomTesting"]


def extract(module, folder, *options):
    """Writes the public symbols of a module into a folder, and returns the files."""
    triple = json.loads(subprocess.check_output(["swift", "-print-target-info"]))["target"]["unversionedTriple"]
    # The formats of traits are not built here.
    maps = [m for m in sorted(root.glob("Sources/*/module.modulemap")) if m.parent.name not in ("CJPEGXL", "CLibHEIF", "CLibRAW", "CWebP")]
    maps += [m for m in sorted(build.glob("C*.build/module.modulemap")) if m.parent.name not in ("CHEIF.build", "CRAW.build")]
    packages = ["OpenEXR", "libpng", "libjpeg", "libtiff-4", "lcms2"]
    flags = subprocess.check_output(["pkg-config", "--cflags", *packages], text=True).split()
    command = ["swift", "symbolgraph-extract", "-module-name", module, "-I", build / "Modules", "-target", triple]
    command += ["-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder, *options]
    for flag in [*flags, "-I" + str(root / "Sources/CCodecSupport/include")]:
        command += ["-Xcc", flag]
    for path in maps:
        command += ["-Xcc", f"-fmodule-map-file={path}"]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return sorted(pathlib.Path(folder).glob("*.symbols.json"))
