import Foundation
import ImageBuffer
import Testing
import _TestSupport

/// Limits of control groups, read from folders made like those of Linux.
@Suite struct ControlGroupTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ path: String) throws {
    let file = URL(fileURLWithPath: folder.path(path))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  @Test func systemsWithoutGroupsLimitNothing() {
    #expect(ControlGroup.memoryLimits(under: folder.path("nowhere")).isEmpty)
    #expect(ControlGroup.processorLimits(under: folder.path("nowhere")).isEmpty)
  }

  /// A group without a limit in one that has one, and another above it.
  @Test func unifiedGroupsInheritLimits() throws {
    try write("0::/user/job\n", "proc/self/cgroup")
    try write("max\n", "sys/fs/cgroup/user/job/memory.max")
    try write("2000000000\n", "sys/fs/cgroup/user/memory.max")
    try write("max 100000\n", "sys/fs/cgroup/user/job/cpu.max")
    try write("150000 100000\n", "sys/fs/cgroup/user/cpu.max")
    try write("400000 100000\n", "sys/fs/cgroup/cpu.max")
    #expect(ControlGroup.memoryLimits(under: folder.path("")) == [2_000_000_000])
    #expect(ControlGroup.processorLimits(under: folder.path("")) == [1.5, 4])
  }

  /// In a container that sees its group as the top folder.
  @Test func groupsOfTheFirstVersionLimitToo() throws {
    try write("3:cpu,cpuacct:/a\n2:memory:/docker/42\n0::/\n", "proc/self/cgroup")
    try write("500000000\n", "sys/fs/cgroup/memory/memory.limit_in_bytes")
    try write("-1\n", "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us")
    try write("100000\n", "sys/fs/cgroup/cpu/a/cpu.cfs_period_us")
    try write("50000\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us")
    try write("100000\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us")
    #expect(ControlGroup.memoryLimits(under: folder.path("")) == [500_000_000])
    #expect(ControlGroup.processorLimits(under: folder.path("")) == [0.5])
  }

  @Test func processorsAreThoseOnWhichTheProcessMayRun() throws {
    #expect(allowedProcessorCount(under: folder.path("nowhere")) == nil)
    try write(
      "Name:\ttool\nCpus_allowed:\t3,00000007\nCpus_allowed_list:\t0-2,32-33\n", "proc/self/status")
    #expect(allowedProcessorCount(under: folder.path("")) == 5)
  }

  @Test func machinesHaveMemoryAndProcessors() {
    #expect(MachineMemory.physicalBytes > 1 << 20)
    #expect(MachineMemory.bytes <= MachineMemory.physicalBytes)
    #expect(1...ProcessInfo.processInfo.processorCount ~= activeProcessorCount)
  }
}
