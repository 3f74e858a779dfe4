/// The header fields that determine the use of a profile (ICC.1:2022, 7.2).
struct ProfileHeader: Hashable, Sendable {
  struct Version: Hashable, Sendable {
    let major, minor: Int
  }

  let version: Version
  let profileClass: Signature
  let colorSpace: Signature
  let connectionSpace: Signature
  let intent: RenderingIntent
}
