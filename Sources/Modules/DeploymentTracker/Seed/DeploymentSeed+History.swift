// What other systems have said of the demo's devices, made of the devices themselves.
extension DeploymentSeed {
  private static let recordCount = 30
  private static let day: Int64 = 86_400_000
  private static let server = "Demo device management"

  static func history(of devices: [DeploymentDevice]) -> DeploymentHistory {
    DeploymentHistory(
      business: businessRecords(devices), preloads: preloadRecords(devices),
      submissions: submissions(devices),
      serviceDeskJobs: serviceDeskJobs(devices), catalogue: DeploymentSeedLists.catalogue)
  }

  /// Of the devices that were checked, and of those that Apple Business doesn't know.
  private static func businessRecords(
    _ devices: [DeploymentDevice]
  ) -> [DeploymentHistory.BusinessRecord] {
    devices.filter { $0.business != .unchecked }.prefix(recordCount).enumerated().map { place, device in
      DeploymentHistory.BusinessRecord(
        serial: device.serial, partNumber: device.text(.partNumber), order: device.text(.purchaseOrder),
        server: device.business == .expected ? server : nil, answer: device.business,
        time: time - Int64(place % 20 + 1) * day)
    }
  }

  private static func preloadRecords(_ devices: [DeploymentDevice]) -> [DeploymentHistory.PreloadRecord] {
    devices.filter { $0.preload != .none }.prefix(recordCount).map { device in
      let email = device.text(.email)
      return DeploymentHistory.PreloadRecord(
        serial: device.serial, type: device.kind.preloadType, username: String(email.prefix { $0 != "@" }),
        email: email, department: device.text(.department), building: device.text(.location))
    }
  }

  /// Eight files, of which the third was refused and the fifth is in the inventory whole.
  private static func submissions(_ devices: [DeploymentDevice]) -> [DeploymentHistory.Handover] {
    handovers(8, of: devices.filter { $0.preload != .none }) { number in
      ("PRE-" + number.zeroPadded(to: 4), number == 3 ? .failed : number == 5 ? .reconciled : .submitted)
    }
  }

  /// Six files, of which the second was refused.
  private static func serviceDeskJobs(_ devices: [DeploymentDevice]) -> [DeploymentHistory.Handover] {
    handovers(6, of: devices.filter { $0.serviceDesk == .exported }) { number in
      ("SD-JOB-" + number.zeroPadded(to: 2), number == 2 ? .failed : .exported)
    }
  }

  /// Deals devices out to so many files, each of one project.
  private static func handovers(
    _ count: Int, of devices: [DeploymentDevice],
    _ describe: (Int) -> (id: String, state: DeploymentHistory.Handover.State)
  ) -> [DeploymentHistory.Handover] {
    let projects = DeploymentSeedLists.projects
    return (1...count).map { number in
      let (id, state) = describe(number)
      let share = devices.enumerated().filter { $0.offset % count == number - 1 }.map { $0.element.serial }
      return DeploymentHistory.Handover(
        id: id, project: projects[number % projects.count].id,
        time: time - Int64(count - number + 1) * 2 * day,
        state: state, devices: share, note: state == .failed ? "Demo: a column was missing" : "")
    }
  }
}
