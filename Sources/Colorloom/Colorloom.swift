// One import for the three core modules. Declares nothing of its own.
@_exported public import ColorSpaces
@_exported public import FilterGraph
@_exported public import ImageBuffer
