import Colorloom
import ImageFiles

/// The data window of an OpenEXR file, by which the pictures of one graph are aligned: renderers crop each element of a shot to what is
/// not black. Files of other formats have none.
struct DataWindow {
  let path: String
  let framing: ImageMetadata.Framing
  /// Whether the picture's pixels are still where the file has them.
  var isInPlace = true

  init?(of info: ImageFileInfo, at path: String) {
    guard info.format.name == "OpenEXR" else { return nil }
    self.path = path
    framing = info.metadata.framing ?? ImageMetadata.Framing(info.size)
  }

  var region: Region { framing.dataWindow }

  /// The upper left corner in words, such as “at (20, 10)”.
  fileprivate var place: String { "at (\(region.x), \(region.y))" }
}

/// A picture of a file, and its data window where it has one.
typealias PictureInWindow = (picture: Picture, window: DataWindow?)

extension Session {
  /// Returns a picture at its place beside the main picture, whose data window begins at (0, 0). Where that was moved or resized, the
  /// picture stays, which is reported unless the step `placesIt`.
  func aligned(
    _ layer: PictureInWindow, to main: DataWindow?, placesIt: Bool = false
  ) -> Picture {
    guard let main, let window = layer.window, window.region.origin != main.region.origin
    else { return layer.picture }
    if main.isInPlace { return layer.picture.moved(by: window.region.origin - main.region.origin) }
    if !placesIt {
      note(
        "The data window of “\(window.path)” begins \(window.place), and that of “\(main.path)” \(main.place). They are not aligned, "
          + "because earlier steps moved or resized “\(main.path)”: the upper left corners are.")
    }
    return layer.picture
  }

  /// Reports where a layer of the size of the main picture comes from another place.
  func noteOtherWindow(_ window: DataWindow, ofLayer name: String, in main: DataWindow) {
    guard window.region.origin != main.region.origin, window.region.size == main.region.size
    else { return }
    note(
      "The data window of “\(window.path)” begins \(window.place), and that of “\(main.path)” \(main.place). The layer “\(name)” is "
        + "written in the window of “\(main.path)”.")
  }

  /// Returns the inputs of a recipe at their places beside the first one.
  func aligned(_ inputs: [PictureInWindow]) -> [Picture] {
    inputs.map { aligned($0, to: inputs[0].window) }
  }

  /// Returns two pictures over the union of their data windows, where these differ. Outside of its own, a picture is black, and transparent
  /// if it has alpha, as OpenEXR defines. Others are returned as they are.
  func overlaid(_ a: PictureInWindow, _ b: PictureInWindow) throws -> (Picture, Picture) {
    guard let first = a.window, let second = b.window, first.framing != second.framing else {
      return (a.picture, b.picture)
    }
    guard first.region != second.region else {
      note(
        "“\(first.path)” and “\(second.path)” have the same data window, but differ in how it is displayed (\(first.framing); "
          + "\(second.framing)). Only pixels are compared.")
      return (a.picture, b.picture)
    }
    let union = first.region.union(second.region)
    let limit = settings.fileLimits.pixels
    let windows =
      "The data window of “\(first.path)” (\(first.region.size) pixels \(first.place)) is not that of “\(second.path)” "
      + "(\(second.region.size) pixels \(second.place))"
    guard union.size.pixelCount <= limit else {
      throw Failure(
        "\(windows), and both together span \(union.size) pixels; the limit is \(limit). Pass --max-pixels \(union.size.pixelCount) to "
          + "compare them anyway.")
    }
    note("\(windows). They are compared over both: outside of its data window a picture is black.")
    return (a.picture.filling(union, from: first), b.picture.filling(union, from: second))
  }
}

extension Picture {
  /// Returns the picture of a data window with the pixels of a larger region, which its file leaves out.
  fileprivate func filling(_ region: Region, from window: DataWindow) -> Picture {
    let placed = placed(at: window.region.origin)
    return hasAlpha
      ? placed.padded(to: region)
      : placed.padded(to: region, with: ColorPoint(0, 0, 0, in: .linearSRGB))
  }
}
