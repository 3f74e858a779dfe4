// The domains of filters in references. Point, area and blend filters state theirs by their protocols.

/// A filter that is composed of others, or a painting, with a domain for references.
///
/// The domain is that of the filters that it applies to pixels: where it is `any`, the filter moves or keeps values.
package protocol DomainStating {
  var domain: PixelDomain { get }
}

extension DomainStating {
  /// Linear and premultiplied, as mixing pixels requires.
  package var domain: PixelDomain { .linearPremultiplied }
}

extension RecipeFilter {
  /// The domain that the filter computes in; nil for compounds of other modules.
  package var statedDomain: PixelDomain? {
    switch self {
    case let filter as any PointFilter: filter.domain
    case let filter as any AreaFilter: filter.domain
    case let filter as any BlendFilter: filter.domain
    case let filter as any AreaBlendFilter: filter.domain
    case let filter as any DomainStating: filter.domain
    default: nil
    }
  }
}

extension Painting: DomainStating {
  /// The painter's domain.
  package var domain: PixelDomain { painter.domain }
}

// MARK: Values that move or stay
extension Storing: DomainStating { package var domain: PixelDomain { .any } }
extension Cropping: DomainStating { package var domain: PixelDomain { .any } }
extension AspectCropping: DomainStating { package var domain: PixelDomain { .any } }
extension Padding: DomainStating { package var domain: PixelDomain { .any } }
extension Extension: DomainStating { package var domain: PixelDomain { .any } }
extension Translation: DomainStating { package var domain: PixelDomain { .any } }
extension Placement: DomainStating { package var domain: PixelDomain { .any } }

// MARK: Encoded values
extension Retagging: DomainStating { package var domain: PixelDomain { .encoded } }
extension DissolveCompound: DomainStating { package var domain: PixelDomain { .encoded } }
extension ReducedSource: DomainStating { package var domain: PixelDomain { .encoded } }

extension DifferenceMapCompound: DomainStating {
  /// The coordinates of the formula.
  package var domain: PixelDomain { .encoded }
}

// MARK: Linear light
extension Conversion: DomainStating { package var domain: PixelDomain { .linear } }
extension NegativeScan: DomainStating { package var domain: PixelDomain { .linear } }
extension AlphaMaskCompound: DomainStating { package var domain: PixelDomain { .linear } }
extension ChromaKey: DomainStating { package var domain: PixelDomain { .linear } }
extension GainMapApplicationCompound: DomainStating {
  package var domain: PixelDomain { .linear }
}

extension GainMapComputationCompound: DomainStating {
  package var domain: PixelDomain { .linear }
}

// MARK: Mixtures of pixels
extension Layer: DomainStating {
  /// Encoded values where a space for them is named.
  package var domain: PixelDomain {
    space == nil ? .linearPremultiplied : .encodedPremultiplied
  }
}

extension MaskBlendCompound: DomainStating {}
extension Flattening: DomainStating {}
extension ColoredPadding: DomainStating {}
extension ResizeCompound: DomainStating {}
extension Thumbnail: DomainStating {}
extension TransformCompound: DomainStating {}
extension Rotation: DomainStating {}
extension Perspective: DomainStating {}
extension Straightening: DomainStating {}
extension VariableBlurCompound: DomainStating {}
extension UnsharpMaskCompound: DomainStating {}
