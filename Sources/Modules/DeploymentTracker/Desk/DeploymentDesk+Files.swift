internal import ForsettiModuleKit

// Files for people. They are written on this machine, and sent nowhere.
extension DeploymentDesk {
  /// Writes the preload file of a project's devices.
  func exportPreload(_ choice: String) async throws(DeploymentRefusal) {
    let project = try project(choice)
    let file = PreloadFile(project: project, in: store.state)
    guard !file.devices.isEmpty else {
      throw .nothingToDo(
        "No device is ready for a preload\(file.refused.isEmpty ? "" : "; some are held up").")
    }
    let scope = project ?? ServiceDeskFile.allProjects
    guard let name = try await write(file.bytes, "JamfPreload-\(scope)") else { return }
    let count = file.devices.count
    try await change { state in
      let export = DeploymentExport(
        kind: .preload, scope: scope, version: state.nextVersion(of: .preload, scope: scope),
        deviceCount: count, fileName: name)
      return DeploymentChange(
        time: WallClock.now(), action: .exported, subject: name,
        detail: "\(count) devices for Jamf Pro, version \(export.version); the file was sent nowhere",
        edits: [.export(export)])
    }
  }

  /// Writes the service-desk file of a project's devices, and marks them exported.
  func exportServiceDesk(_ choice: String) async throws(DeploymentRefusal) {
    let project = try project(choice)
    let file = ServiceDeskFile(project: project, in: store.state)
    guard !file.devices.isEmpty else { throw .nothingToDo("No device waits for the service desk.") }
    if let fault = file.faults.first { throw .faultyFile(fault, more: file.faults.count - 1) }
    let scope = project ?? ServiceDeskFile.allProjects
    let version = store.state.nextVersion(of: .serviceDesk, scope: scope)
    guard let name = try await write(file.bytes, "SDPlusExport-\(scope)-v\(version)") else { return }
    try await change { state throws(DeploymentRefusal) in
      let now = WallClock.now()
      var change = try DeploymentSimulator.run(.serviceDeskExport, project: project, in: state, at: now)
        .change
      change.subject = name
      change.edits.append(
        .export(
          DeploymentExport(
            kind: .serviceDesk, scope: scope, version: version, deviceCount: file.devices.count,
            fileName: name)))
      return change
    }
  }

  private func project(_ choice: String) throws(DeploymentRefusal) -> String? {
    if choice.isEmpty || choice == DeploymentProject.every { return nil }
    guard store.state.projects.contains(where: { $0.id == choice }) else { throw .unknownProject(choice) }
    return choice
  }

  /// The name under which the file was written; nothing, and a notice, where it was not.
  func write(
    _ bytes: [UInt8], _ prefix: String, fileExtension: String = "csv"
  ) async throws(DeploymentRefusal) -> String? {
    guard context.grantedCapabilities.contains(.fileExport), let files = context.services.fileExport else {
      throw .noFiles
    }
    let name = ExportFileName.make(prefix, at: WallClock.now(), fileExtension: fileExtension)
    do throws(ServiceError) { return try await files.export(bytes, suggestedFileName: name) } catch {
      try say(.storage(error))
      return nil
    }
  }
}
