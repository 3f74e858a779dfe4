import Foundation
import ImageFiles
import Testing
import _TestSupport

/// Hashes of whole files.
@Suite struct FileDigestTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The hashes of FIPS 180-4's examples and of a million letters (NIST, example values).
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func hashes(text: String, expected: String) throws {
    let path = folder.path("text")
    try Data(text.utf8).write(to: URL(filePath: path))
    let digest = try FileDigest(ofFile: path)
    #expect(digest.sha256 == expected)
    #expect(digest.byteCount == text.utf8.count)
    let ofBytes = FileDigest(Array(text.utf8))
    #expect(ofBytes.sha256 == expected && ofBytes.byteCount == text.utf8.count)
  }
}
