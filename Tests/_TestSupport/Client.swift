public import Foundation

/// Another program that reads this package's files, or writes files for it. Tests of it are skipped if it is not
/// installed.
public struct Client: Sendable {
  /// The name of the program.
  public let name: String
  private let path: String?

  /// Creates a client for the program that the shell would find.
  public init(_ name: String) {
    self.name = name
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    path = folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  /// ImageMagick, whose command has had several names; other programs are called “convert” as well.
  public static let imageMagick =
    [Client("convert-im6.q16"), Client("magick")].first(where: \.isPresent) ?? Client("convert")

  /// Whether it is installed.
  public var isPresent: Bool { path != nil }

  /// Returns whether it is installed and succeeds with these arguments.
  public func can(_ arguments: String...) -> Bool {
    isPresent && (try? run(arguments)) != nil
  }

  /// An error of running the program.
  public struct Failure: Error, CustomStringConvertible {
    /// The command line, the exit status, and the output.
    public let description: String
  }

  /// Starts it; the caller waits for its end.
  public func start(_ arguments: [String]) throws -> Process {
    guard let path else { throw Failure(description: "“\(name)” is not installed.") }
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Runs it, and returns its standard output and standard error together. The exit status must be 0.
  @discardableResult
  public func run(_ arguments: [String]) throws -> Data {
    guard let path else { throw Failure(description: "“\(name)” is not installed.") }
    let (status, printed) = try Self.ending(of: URL(filePath: path), arguments)
    guard status == 0 else {
      let words = String(decoding: printed.suffix(2000), as: UTF8.self)
      throw Failure(
        description: "\(name) \(arguments.joined(separator: " ")): \(status), \(words)")
    }
    return printed
  }

  /// The path of a program of this package, which is built beside the tests.
  public static func built(_ name: String) -> URL {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: name)
  }

  /// Runs a program, and returns its exit status and its standard output, which includes standard error unless that is passed on.
  public static func ending(
    of program: URL, _ arguments: [String], passingErrors: Bool = false
  ) throws -> (status: Int32, output: Data) {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    if !passingErrors { process.standardError = output }
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, printed)
  }

  /// Runs it, and returns its output as text.
  @discardableResult
  public func run(_ arguments: String...) throws -> String {
    String(decoding: try run(arguments), as: UTF8.self)
  }
}
