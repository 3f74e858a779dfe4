import CLibJPEG
import Foundation
import ImageBuffer

/// JPEG files of kinds that the writer under test does not create: CMYK, RGB, unusual subsampling, arithmetic coding,
/// restarts.
struct TestJPEG {
  var size = PixelSize(45, 31)
  /// The color model of the samples, and the one they are stored in.
  var given = JCS_RGB, stored = JCS_YCbCr
  /// The sampling of the first component relative to the second and third.
  var sampling: (across: Int, down: Int) = (1, 1)
  var isProgressive = false, isArithmetic = false
  /// Whether each component has a scan of its own.
  var hasScanPerComponent = false
  /// The number of blocks between restart markers; 0 for none.
  var restartInterval = 0
  var hasAdobeMarker = false
  var quality = 90
  var segments: [(marker: UInt8, body: [UInt8])] = []
  /// The samples of a pixel.
  var pixel: (_ x: Int, _ y: Int) -> [UInt8]

  var bytes: [UInt8] {
    let errors = UnsafeMutablePointer<jpeg_error_mgr>.allocate(capacity: 1)
    let jpeg = UnsafeMutablePointer<jpeg_compress_struct>.allocate(capacity: 1)
    let file = UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>.allocate(capacity: 1)
    let count = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    errors.initialize(to: jpeg_error_mgr())
    jpeg.initialize(to: jpeg_compress_struct())
    file.initialize(to: nil)
    count.initialize(to: 0)
    defer {
      jpeg_destroy_compress(jpeg)
      free(file.pointee)
      errors.deallocate()
      jpeg.deallocate()
      file.deallocate()
      count.deallocate()
    }
    jpeg.pointee.err = jpeg_std_error(errors)
    jpeg_CreateCompress(jpeg, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
    jpeg_mem_dest(jpeg, file, count)
    configure(jpeg)
    let scans = UnsafeMutableBufferPointer<jpeg_scan_info>.allocate(capacity: 4)
    defer { scans.deallocate() }
    if hasScanPerComponent {
      _ = scans.initialize(from: self.scans)
      jpeg.pointee.scan_info = UnsafePointer(scans.baseAddress)
      jpeg.pointee.num_scans = Int32(self.scans.count)
    }
    jpeg_start_compress(jpeg, 1)
    for segment in segments {
      jpeg_write_marker(jpeg, Int32(segment.marker), segment.body, UInt32(segment.body.count))
    }
    for y in 0..<size.height {
      var row = (0..<size.width).flatMap { pixel($0, y) }
      row.withUnsafeMutableBufferPointer {
        var start = $0.baseAddress
        jpeg_write_scanlines(jpeg, &start, 1)
      }
    }
    jpeg_finish_compress(jpeg)
    return Array(UnsafeBufferPointer(start: file.pointee, count: Int(count.pointee)))
  }

  private func configure(_ jpeg: UnsafeMutablePointer<jpeg_compress_struct>) {
    jpeg.pointee.image_width = UInt32(size.width)
    jpeg.pointee.image_height = UInt32(size.height)
    jpeg.pointee.input_components = Int32(pixel(0, 0).count)
    jpeg.pointee.in_color_space = given
    jpeg_set_defaults(jpeg)
    jpeg_set_colorspace(jpeg, stored)
    jpeg_set_quality(jpeg, Int32(quality), 1)
    jpeg.pointee.comp_info[0].h_samp_factor = Int32(sampling.across)
    jpeg.pointee.comp_info[0].v_samp_factor = Int32(sampling.down)
    if stored == JCS_YCCK {
      jpeg.pointee.comp_info[3].h_samp_factor = Int32(sampling.across)
      jpeg.pointee.comp_info[3].v_samp_factor = Int32(sampling.down)
    }
    jpeg.pointee.write_Adobe_marker = hasAdobeMarker ? 1 : 0
    jpeg.pointee.restart_interval = UInt32(restartInterval)
    jpeg.pointee.arith_code = isArithmetic ? 1 : 0
    if isProgressive { jpeg_simple_progression(jpeg) }
  }

  /// The scans of a file with one for each component.
  private var scans: [jpeg_scan_info] {
    pixel(0, 0).indices.map { component in
      var scan = jpeg_scan_info()
      scan.comps_in_scan = 1
      scan.component_index.0 = Int32(component)
      scan.Se = 63
      return scan
    }
  }
}
