import ImageBuffer
import Testing

/// Channels and their roles.
@Suite struct ChannelTests {
  @Test func channelsAreTheirRoles() {
    #expect(Channels.bgra.roles == [.blue, .green, .red, .alpha])
    #expect(Channels.rgb.adding(.alpha) == .rgba)
    #expect(Channels.named("a", "b").roles == [.named("a"), .named("b")])
    #expect(Channels.named("alpha") != Channels([.alpha]))
    #expect(Set(Shape.allChannels).count == Shape.allChannels.count)
    for channels in Shape.allChannels {
      #expect(channels.count == channels.roles.count)
      #expect(channels.hasAlpha == channels.roles.contains(.alpha))
    }
  }

  @Test func namesListTheRoles() {
    #expect("\(Channels.bgra)" == "bgra")
    #expect("\(Channels.grayAlpha)" == "grayAlpha")
    #expect("\(Channels.rgb.adding(.named("depth")))" == "red green blue “depth”")
    #expect("\(Channels.cmyk.adding(.alpha))" == "cyan magenta yellow black alpha")
  }

  @Test func colorChannelsAreFoundInAnyOrder() throws {
    for channels in Shape.lights {
      let planes = try #require(channels.colorPlanes)
      #expect(channels.roles[planes.red] == .red)
      #expect(channels.roles[planes.green] == .green)
      #expect(channels.roles[planes.blue] == .blue)
      #expect(planes.alpha.map { channels.roles[$0] } == (channels.hasAlpha ? .alpha : nil))
    }
    let gray = try #require(Channels.grayAlpha.colorPlanes)
    #expect((gray.red, gray.green, gray.blue) == (0, 0, 0))
    #expect(gray.alpha == 1)
    #expect(Channels.cmyk.colorPlanes == nil)
    #expect(Channels([.red, .green]).colorPlanes == nil)
    #expect(Channels.rgbx.areOfPictures && !Channels.rgb.adding(.named("depth")).areOfPictures)
  }
}
