public import ForsettiCore

/// Reads a profile that anybody may have written. Keys that the specification leaves to others are passed over, as it asks.
public enum OCIProfileDecoder {
  /// A profile of today has some 500 names in 16 KiB.
  public static let limits = JSONLimits(bytes: 1 << 20, depth: 16, stringBytes: 4_096, arrayElements: 4_096)
  /// Names in all entries together: what comes of a profile is bounded by it.
  private static let mostNames = 16_384
  private static let mostArguments = 64

  /// Reads a profile, alone or as `linux.seccomp` of a container's whole configuration.
  /// - Throws: the first fault with its place.
  public static func decode(_ bytes: [UInt8]) throws(JSONFault) -> OCIProfile {
    let document = try JSONParser.parse(bytes, limits: limits)
    do throws(JSONFault) {
      var root = JSONCursor(document.root)
      if let linux = try root.optional("linux") { root = try linux.required("seccomp") }
      return try profile(root)
    } catch { throw document.locating(error) }
  }

  private static func profile(_ root: JSONCursor) throws(JSONFault) -> OCIProfile {
    var profile = OCIProfile(
      defaultAction: try root.required("defaultAction").oneOf(OCIProfile.Action.self, called: "an action"),
      defaultErrno: try errno(root.optional("defaultErrnoRet")),
      architectures: try root.optional("architectures")?.strings() ?? [], entries: [])
    for map in try root.optional("archMap")?.array() ?? [] {
      // The profile of Docker and Podman is for many machines at once; each line is one of them.
      let machine = try map.required("architecture").string()
      let others = try map.optional("subArchitectures")?.strings() ?? []
      if machine == OCIProfile.nativeArchitecture { profile.architectures += [machine] + others }
    }
    var names = 0
    for cursor in try root.optional("syscalls")?.array() ?? [] {
      let entry = try entry(cursor)
      names += entry.names.count
      guard names <= mostNames else { throw cursor.fault("more than \(mostNames) names of calls") }
      profile.entries.append(entry)
    }
    return profile
  }

  private static func entry(_ cursor: JSONCursor) throws(JSONFault) -> OCIProfile.Entry {
    // Docker's profiles before 2017 have one name an entry.
    let list = try cursor.optional("names")
    let names = if let list { try list.strings() } else { [try cursor.required("name").string()] }
    let cursors = try cursor.optional("args")?.array() ?? []
    guard cursors.count <= mostArguments else {
      throw cursor.fault("more than \(mostArguments) conditions")
    }
    var arguments: [OCIProfile.Argument] = []
    for cursor in cursors { arguments.append(try argument(cursor)) }
    return OCIProfile.Entry(
      names: names, action: try cursor.required("action").oneOf(OCIProfile.Action.self, called: "an action"),
      errno: try errno(cursor.optional("errnoRet")), arguments: arguments,
      comment: try cursor.optional("comment")?.string() ?? "",
      includes: try scope(cursor.optional("includes")), excludes: try scope(cursor.optional("excludes")))
  }

  private static func argument(_ cursor: JSONCursor) throws(JSONFault) -> OCIProfile.Argument {
    OCIProfile.Argument(
      index: Int(try cursor.required("index").integer(in: 0...5)),
      comparison: try cursor.required("op").oneOf(OCIProfile.Comparison.self, called: "a comparison"),
      value: try register(cursor.required("value")),
      valueTwo: try cursor.optional("valueTwo").map(register) ?? 0)
  }

  private static func register(_ cursor: JSONCursor) throws(JSONFault) -> UInt64 {
    guard case .number(let number) = cursor.value.content,
      let value = number.integer.flatMap({ UInt64(exactly: $0) }) ?? number.large
    else { throw cursor.fault("an integer from 0 to \(UInt64.max) is expected") }
    return value
  }

  private static func errno(_ cursor: JSONCursor?) throws(JSONFault) -> Int32? {
    // MAX_ERRNO of the kernel.
    try cursor.map { (cursor) throws(JSONFault) in Int32(try cursor.integer(in: 0...4_095)) }
  }

  private static func scope(_ cursor: JSONCursor?) throws(JSONFault) -> OCIProfile.Scope {
    guard let cursor else { return OCIProfile.Scope() }
    var scope = OCIProfile.Scope(
      architectures: try cursor.optional("arches")?.strings() ?? [],
      capabilities: try cursor.optional("caps")?.strings() ?? [])
    if let oldest = try cursor.optional("minKernel") {
      guard let version = KernelVersion(try oldest.string()) else {
        throw oldest.fault("a kernel's version is expected, such as \"4.8\"")
      }
      scope.kernel = version
    }
    return scope
  }
}
