/// Where this process's cgroup of version 2 is, read from what proc(5) says.
enum CgroupPlace {
  /// The folder of the cgroup; `nil` when no hierarchy of version 2 is mounted where it can be seen.
  /// - Parameters:
  ///   - membership: /proc/self/cgroup.
  ///   - mounts: /proc/self/mountinfo.
  static func folder(membership: String, mounts: String) -> String? {
    let line = membership.split(separator: "\n").first { $0.hasPrefix("0::/") }
    guard let path = line.map({ String($0.dropFirst("0::".utf8.count)) }) else { return nil }
    for mount in mounts.split(separator: "\n") {
      let halves = mount.split(separator: " ", omittingEmptySubsequences: false)
      // ID, parent, device, root, mount point, options …, "-", type.
      guard let dash = halves.firstIndex(of: "-"), dash + 1 < halves.count, halves[dash + 1] == "cgroup2",
        dash > 4
      else { continue }
      let (root, point) = (String(halves[3]), String(halves[4]))
      // A namespace or a bind mount may show a part of the hierarchy alone.
      if root == "/" { return path == "/" ? point : point + path }
      guard path == root || path.hasPrefix(root + "/") else { continue }
      return point + String(path.dropFirst(root.count))
    }
    return nil
  }
}
