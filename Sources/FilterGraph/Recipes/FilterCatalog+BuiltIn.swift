extension FilterCatalog {
  /// The filters of this module, one line each.
  public static let builtIn: FilterCatalog = {
    var catalog = FilterCatalog()
    for (subject, filters) in list { for filter in filters { catalog.add(filter, to: subject) } }
    return catalog
  }()

  private static let list: [(Subject, [any RecipeFilter.Type])] = [
    (
      "Color spaces and gamut",
      [
        Conversion.self, Retagging.self, GamutFit.self, GamutMask.self, GamutCompress.self,
        Storing.self,
      ]
    ),
    (
      "Light and color",
      [
        Exposure.self, Contrast.self, Brightness.self, Saturation.self, Vibrance.self,
        HueRotation.self, Gamma.self, Levels.self, LiftGammaGain.self, ColorDecisions.self,
        WhiteBalance.self, ChannelMix.self, FourChannelMix.self, Monochrome.self, Threshold.self,
        Inversion.self, ToneCurves.self, ExposureContrast.self, GradingPrimary.self,
        GradingTone.self, GradingCurves.self, LogCurve.self, Look.self,
      ]
    ),
    (
      "Tone mapping and high dynamic range",
      [
        Reinhard.self, SigmoidView.self, DisplayMapping.self, BT2446A.self, BT2446C.self,
        ACESOutput.self, HLGRendering.self, GainMapApplicationCompound.self,
        GainMapComputationCompound.self,
      ]
    ),
    (
      "Film",
      [
        NegativeScan.self, NegativeDevelopment.self, NegativeExposure.self, PowerNegative.self,
        DensityPrint.self, CurveDevelopment.self, PaperCurve.self,
      ]
    ),
    (
      "Several pictures",
      [
        Layer.self, Composite.self, MaskBlendCompound.self, MaskBlend.self, AlphaMaskCompound.self,
        AlphaMask.self, ChromaKey.self, DissolveCompound.self, Dissolve.self, Flattening.self,
        ChannelComposite.self,
        DifferenceMapCompound.self,
      ]
    ),
    (
      "Geometry",
      [
        Cropping.self, AspectCropping.self, Padding.self, ColoredPadding.self, Extension.self,
        Translation.self,
        Placement.self, Reorientation.self,
        ResizeCompound.self, Resize.self, Thumbnail.self, TransformCompound.self, Rotation.self,
        Perspective.self,
        Straightening.self, Transform.self, Remap.self, ReducedSource.self,
      ]
    ),
    (
      "Blurs, edges and neighborhoods",
      [
        GaussianBlur.self, BoxBlur.self, VariableBlurCompound.self, VariableBlur.self,
        UnsharpMaskCompound.self,
        UnsharpMask.self, Median.self, Morphology.self, Convolution.self, Sobel.self,
        GuidedFilter.self, AxisMean.self,
      ]
    ),
    (
      "Generators",
      [
        Painting<SolidColor>.self, Painting<Checker>.self, Painting<Gradient>.self,
        Painting<ColorTriangle>.self, Painting<TriangleMesh>.self, Painting<Noise>.self,
        Painting<GradientNoise>.self, Painting<Stripes>.self, Painting<GaussianSpot>.self,
        Painting<ZonePlate>.self, Painting<BroadcastBars>.self, Painting<ColorBars>.self,
        Painting<ColorChecker>.self, Painting<HueSweep>.self, Painting<Canary>.self,
        Painting<ChromaticityDiagram>.self,
      ]
    ),
  ]
}
