internal import ColorSpaces
public import FilterGraph
internal import ImageBuffer

/// The conformance kit for filters: it returns the laws that a filter violates. It works with any test framework: a
/// filter conforms if nothing is returned.
///
/// `tolerance` is the largest error relative to the definition, as a fraction of the value or of 1, whichever is
/// larger. The default, 4·10⁻⁶, is eight curves of 4 ulp each (2.4·10⁻⁷), and as much again for a filter's own slope;
/// steeper filters need more. `except` are laws that the filter violates by design. A filter of FilterGraph whose declaration says that it
/// clamps is exempt from the law ``FilterLaw/range``, and violates it if it does not clamp. For a filter of yours that clamps, name that law
/// in `except`. For filters of several pictures that law is about the first one, beside opaque pictures of one color.
public enum FilterLaws {
  /// Returns the violations of a point filter. `identity` is the filter with neutral parameters, `other` one with
  /// another effect.
  public static func violations<Filter: PointFilter>(
    of filter: Filter, identity: Filter? = nil, unlike other: Filter? = nil,
    tolerance: Double = 4e-6, except: Set<FilterLaw> = []
  ) -> [FilterViolation] {
    let laws = PictureLaws(
      name: "\(filter)", domain: filter.domain, tolerance: tolerance, except: except,
      apply: { $0.applying(filter) }, reach: { region, _ in region })
    let found = laws.violations(
      identity: identity.map { identity in { $0.applying(identity) } },
      equal: other.flatMap { other in filter == other ? { $0.applying(other) } : nil })
    return compared(found, withDeclarationOf: filter, except: except)
  }

  /// Returns violations without that of a clamping filter whose declaration says so, and with one where it says so of a filter that does
  /// not clamp.
  private static func compared(
    _ found: [FilterViolation], withDeclarationOf filter: Any, except: Set<FilterLaw>
  ) -> [FilterViolation] {
    // A filter that could not be rendered was not compared.
    guard !except.contains(.range), let declared = filter as? any RecipeFilter, declared.clamps,
      !found.contains(where: { $0.law == .renders })
    else { return found }
    let others = found.filter { $0.law != .range }
    if others.count < found.count { return others }
    return others + [
      FilterViolation(
        law: .range, description: "\(filter): its declaration says that it clamps; it does not")
    ]
  }

  /// Returns the violations of an area filter.
  public static func violations<Filter: AreaFilter>(
    of filter: Filter, identity: Filter? = nil, unlike other: Filter? = nil,
    tolerance: Double = 4e-6, except: Set<FilterLaw> = []
  ) -> [FilterViolation] {
    let alone = TileLaws.violations(of: filter, name: "\(filter)", tolerance: tolerance)
      .filter { !except.contains($0.law) }
    // A graph would trap where a filter reads beyond its declared region, and would not render what a tile cannot.
    if alone.contains(where: { [.region, .renders].contains($0.law) }) { return alone }
    let laws = PictureLaws(
      name: "\(filter)", domain: filter.domain, tolerance: tolerance, except: except,
      apply: { $0.applying(filter) },
      reach: { filter.inputRegion(for: $0, of: $1).clamped(to: Region($1)) })
    let found = laws.violations(
      identity: identity.map { identity in { $0.applying(identity) } },
      equal: other.flatMap { other in filter == other ? { $0.applying(other) } : nil })
    return alone + compared(found, withDeclarationOf: filter, except: except)
  }

  /// Returns the violations of a blend filter of `inputs` pictures.
  public static func violations<Filter: BlendFilter>(
    of filter: Filter, inputs: Int = 2, unlike other: Filter? = nil, tolerance: Double = 4e-6,
    except: Set<FilterLaw> = []
  ) -> [FilterViolation] {
    let alone = TileLaws(name: "\(filter)", tolerance: tolerance)
      .violations(of: filter, inputs: inputs).filter { !except.contains($0.law) }
    if alone.contains(where: { $0.law == .region }) { return alone }
    let others = others(inputs - 1)
    func blend(_ filter: Filter) -> (Picture) -> Picture {
      { $0.applying(filter, with: others).placed(at: .zero) }
    }
    let laws = PictureLaws(
      name: "\(filter)", domain: filter.domain, tolerance: tolerance,
      // Blends change alpha by design.
      except: except, evenAlphaStays: false, apply: blend(filter),
      reach: { region, _ in
        let corner = filter.extent.region(
          of: [Region(PictureLaws.sizeForNaN)] + others.map(\.region)
        ).origin
        return region.moved(by: corner)
      },
      applyBeside: { $0.applying(filter, with: evenOthers(inputs - 1, of: $1)) })
    let found = laws.violations(
      identity: nil, equal: other.flatMap { filter == $0 ? blend($0) : nil })
    return alone + compared(found, withDeclarationOf: filter, except: except)
  }

  /// Returns the violations of an area filter of `inputs` pictures.
  public static func violations<Filter: AreaBlendFilter>(
    of filter: Filter, inputs: Int = 2, unlike other: Filter? = nil, tolerance: Double = 4e-6,
    except: Set<FilterLaw> = []
  ) -> [FilterViolation] {
    let alone = TileLaws.violations(
      of: filter, inputs: inputs, name: "\(filter)", tolerance: tolerance
    ).filter { !except.contains($0.law) }
    if alone.contains(where: { $0.law == .region }) { return alone }
    let others = others(inputs - 1)
    func blend(_ filter: Filter) -> (Picture) -> Picture {
      { $0.applying(filter, with: others) }
    }
    let laws = PictureLaws(
      name: "\(filter)", domain: filter.domain, tolerance: tolerance,
      // Other inputs change alpha by design.
      except: except, evenAlphaStays: false, apply: blend(filter),
      reach: { filter.inputRegion(0, for: $0, of: $1).clamped(to: Region($1)) },
      applyBeside: { $0.applying(filter, with: evenOthers(inputs - 1, of: $1)) })
    let found = laws.violations(
      identity: nil, equal: other.flatMap { filter == $0 ? blend($0) : nil })
    return alone + compared(found, withDeclarationOf: filter, except: except)
  }

  /// Pictures of different sizes, at other positions.
  private static func others(_ count: Int) -> [Picture] {
    (0..<count).map { $0 + 1 }.map { index in
      Picture(
        TestPictures.floats(PixelSize(37 + index, 11), channels: index % 2 == 0 ? .rgb : .rgba)
      )
      .moved(by: Offset(-index, -index))
    }
  }

  /// Opaque pictures of one color, each channel of it as large as `value` or less.
  private static func evenOthers(_ count: Int, of value: Float) -> [Picture] {
    Array(repeating: TestPictures.even([value, 0.75 * value, 0.5 * value]), count: count)
  }

  /// Returns the violations of a painter.
  public static func violations<Filter: Painter>(
    of painter: Filter, unlike other: Filter? = nil, tolerance: Double = 4e-6,
    except: Set<FilterLaw> = []
  ) -> [FilterViolation] {
    let alone = TileLaws(name: "\(painter)", tolerance: tolerance).violations(of: painter)
      .filter { !except.contains($0.law) }
    if alone.contains(where: { [.region, .renders].contains($0.law) }) { return alone }
    func paint(_ painter: Filter) -> (Picture) -> Picture {
      { source in
        let picture = Picture(painter, in: source.space)
        return picture.isEndless
          ? picture.cropped(to: source.region.moved(by: Offset(-3, -2))) : picture
      }
    }
    let laws = PictureLaws(
      name: "\(painter)", domain: .encoded, tolerance: tolerance,
      except: except.union([.range]), evenAlphaStays: false, apply: paint(painter),
      reach: { region, _ in region })
    return alone
      + laws.violations(
        identity: nil, equal: other.flatMap { painter == $0 ? paint($0) : nil })
  }

  /// Returns the violations of a catalog's filter, created from the samples in its declaration. A compound filter is
  /// checked by the picture it creates; one without samples is not checked.
  public static func violations(
    of entry: FilterCatalog.Entry, tolerance: Double = 4e-6, except: Set<FilterLaw> = []
  ) -> [FilterViolation] {
    guard let sample = entry.sample else { return [] }
    let filter: any RecipeFilter
    do throws(RecipeDecodingError) {
      filter = try entry.filter(sample, at: entry.name)
    } catch {
      return [FilterViolation(law: .renders, description: "\(entry.name): \(error)")]
    }
    let inputs = entry.inputs.lowerBound
    func point(_ filter: some PointFilter) -> [FilterViolation] {
      violations(of: filter, tolerance: tolerance, except: except)
    }
    func area(_ filter: some AreaFilter) -> [FilterViolation] {
      violations(of: filter, tolerance: tolerance, except: except)
    }
    func blend(_ filter: some BlendFilter) -> [FilterViolation] {
      violations(of: filter, inputs: inputs, tolerance: tolerance, except: except)
    }
    func areaBlend(_ filter: some AreaBlendFilter) -> [FilterViolation] {
      violations(of: filter, inputs: inputs, tolerance: tolerance, except: except)
    }
    if let filter = filter as? any PointFilter { return point(filter) }
    if let filter = filter as? any AreaFilter { return area(filter) }
    if let filter = filter as? any BlendFilter { return blend(filter) }
    if let filter = filter as? any AreaBlendFilter { return areaBlend(filter) }
    func picture(_ source: Picture, beside others: [Picture]) -> Picture {
      let picture = filter.picture(of: inputs == 0 ? [] : [source] + others)
      return picture.isEndless ? picture.cropped(to: source.region) : picture.placed(at: .zero)
    }
    let laws = PictureLaws(
      name: entry.name, domain: .encoded, tolerance: tolerance,
      except: except.union([.containment]), evenAlphaStays: false,
      apply: { source in
        picture(source, beside: (1..<max(inputs, 1)).map { source.exposure(Double($0)) })
      }, reach: { region, _ in region },
      applyBeside: { picture($0, beside: evenOthers(max(inputs - 1, 0), of: $1)) })
    let found = laws.violations(identity: nil, equal: nil)
    return compared(found, withDeclarationOf: filter, except: except)
  }

  /// Returns the violations of a reduction. Values are compared by their descriptions.
  public static func violations(
    of reduction: some Reduction, except: Set<FilterLaw> = []
  ) -> [FilterViolation] {
    let picture = Picture(TestPictures.floats())
    func value(tile: PixelSize?, threads: Int) throws(RenderError) -> String {
      var options = RenderOptions()
      (options.tile, options.threads) = (tile, threads)
      return String(reflecting: try picture.reduced(by: reduction, options: options))
    }
    var found: [FilterViolation] = []
    func fail(_ law: FilterLaw, _ what: String) {
      if except.contains(law) || found.contains(where: { $0.law == law }) { return }
      found.append(FilterViolation(law: law, description: "\(reduction): \(what)"))
    }
    do {
      let first = try value(tile: nil, threads: 1)
      let again = try value(tile: nil, threads: 1)
      if again != first { fail(.threads, "is \(first) at first, then \(again)") }
      for (tile, threads) in [(PixelSize(271, 1), 1), (PixelSize(16, 7), 2), (nil, 4)] {
        let value = try value(tile: tile, threads: threads)
        if value != first {
          fail(
            tile == nil ? .threads : .tiles,
            "is \(first) as the plan likes it, \(value) on \(threads) threads"
              + (tile.map { " in tiles of \($0)" } ?? ""))
        }
      }
    } catch { fail(.renders, "\(error)") }
    return found
  }
}
