/// Returns a block of Photoshop's image resources (Adobe Photoshop File Formats Specification).
package func photoshopResource(_ identifier: Int, _ content: [UInt8]) -> [UInt8] {
  Array("8BIM".utf8) + identifier.bytes(2, isBigEndian: true) + [0, 0]
    + content.count.bytes(4, isBigEndian: true) + content
    + [UInt8](repeating: 0, count: content.count % 2)
}
