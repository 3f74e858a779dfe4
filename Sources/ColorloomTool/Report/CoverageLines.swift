import Colorloom

/// Returns a line for each space that names the part of its gamut that another gamut covers.
///
/// - Parameters:
///   - parts: The covered parts, 0…1, by the names of the spaces.
///   - measure: The coordinates of the areas or volumes.
func coverageLines(_ parts: [String: Double], in measure: String) -> [String] {
  parts.sorted { $0.key < $1.key }.map { "covers \($0.key) in \(measure): \(percent($0.value)) %" }
}
