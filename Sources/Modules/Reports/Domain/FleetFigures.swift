internal import ForsettiModuleKit

/// So many devices of one kind.
struct ReportCount: Sendable, Equatable {
  var label: String
  var count: Int
}

/// What a number of devices comes to.
struct FleetFigures: Sendable, Equatable {
  var total: Int
  /// All types, in their order, those without a device too.
  var types: [ReportCount]
  var models: [ReportCount]
  var systems: [ReportCount]
  var buildings: [ReportCount]
  var departments: [ReportCount]
  /// How full the devices are, by bucket.
  var storage: [ReportCount]
  var battery: [ReportCount]
  /// Devices of which nobody knows what they are.
  var unknown: Int
  /// Devices of which it was concluded.
  var inferred: Int

  init(_ devices: some Collection<ReportDevice>) {
    total = devices.count
    types = DeviceType.allCases.map { type in
      ReportCount(label: type.title, count: devices.count { $0.type == type })
    }
    models = Self.counts(of: devices, by: .model)
    systems = Self.counts(of: devices, by: .osVersion)
    buildings = Self.counts(of: devices, by: .building)
    departments = Self.counts(of: devices, by: .department)
    storage = PercentBucket.counts(PercentBucket.storage, devices.map(\.storageUsed))
    battery = PercentBucket.counts(PercentBucket.battery, devices.map(\.battery))
    unknown = devices.count { $0.type == .unknown }
    inferred = devices.count { $0.confidence.isInferred }
  }

  /// The groups and how many are in each: the largest first, equal ones by their names.
  static func counts(of devices: some Sequence<ReportDevice>, by grouping: ReportGrouping) -> [ReportCount] {
    var counts: [ScalarText: Int] = [:]
    for device in devices {
      counts[ScalarText(device.text(of: grouping.field) ?? grouping.absent), default: 0] += 1
    }
    return counts.map { ReportCount(label: $0.key.text, count: $0.value) }.sorted {
      $0.count != $1.count
        ? $0.count > $1.count : $0.label.utf8.lexicographicallyPrecedes($1.label.utf8)
    }
  }
}

/// A range of percents that devices are counted in.
struct PercentBucket: Sendable, Equatable {
  var label: String
  var range: ClosedRange<Int>

  /// How much of the storage is used.
  static let storage = [
    PercentBucket(label: "Under 50 %", range: 0...49), PercentBucket(label: "50 to 79 %", range: 50...79),
    PercentBucket(label: "80 % and more", range: 80...100),
  ]
  /// How much the battery holds.
  static let battery = [
    PercentBucket(label: "Under 20 %", range: 0...19), PercentBucket(label: "20 to 49 %", range: 20...49),
    PercentBucket(label: "50 to 79 %", range: 50...79),
    PercentBucket(label: "80 % and more", range: 80...100),
  ]
  /// What stands for devices that report no value.
  static let unknown = "Not reported"

  /// How many values are in each bucket, and how many there are not.
  static func counts(_ buckets: [PercentBucket], _ values: [Int?]) -> [ReportCount] {
    let counts = buckets.map { bucket in
      ReportCount(label: bucket.label, count: values.count { $0.map(bucket.range.contains) ?? false })
    }
    let rest = values.count - counts.reduce(0) { $0 + $1.count }
    return counts + [ReportCount(label: unknown, count: rest)]
  }
}
