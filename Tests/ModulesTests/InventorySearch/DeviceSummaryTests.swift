import Testing

@testable import ForsettiModules

@Suite struct DeviceSummaryTests {
  @Test("a computer has thirteen marks of security, good, bad or not reported")
  func computer() {
    let record = InventoryRecord(
      id: .inventory("1"),
      values: [
        "diskEncryption.fileVault2Enabled": "true", "security.firewallEnabled": "false",
        "security.sipStatus": "ENABLED", "security.gatekeeperStatus": "DISABLED",
        "security.autoLoginDisabled": "true", "security.secureBootLevel": "MEDIUM_SECURITY",
        "security.remoteDesktopEnabled": "true", "security.xprotectVersion": "5321",
        "hardware.processorType": "Apple M2 Max", "hardware.coreCount": "12",
        "hardware.totalRamMegabytes": "32768", "hardware.model": "MacBook Pro",
        "storage.disks[].sizeMegabytes": "1000, 5", "storage.bootDriveAvailableSpaceMegabytes": "250",
      ])
    let summary = ComputerSummary.make(record)
    #expect(
      summary.security.map { "\($0.state)/\($0.tone)" } == [
        "On/success", "Off/error", "Enabled/success", "Disabled/error", "Not reported/neutral",
        "Not reported/neutral", "Not reported/neutral", "Not reported/neutral", "On/success",
        "Medium Security/warning", "Not reported/neutral", "5321/info", "On/neutral",
      ])
    #expect(
      summary.hardware.map { "\($0.label): \($0.value)" } == [
        "Model: MacBook Pro", "Chip: Apple M2 Max", "CPU cores: 12", "GPU cores: 30 or 38",
        "Neural Engine cores: 16", "Memory: 32.0 GB", "Memory bandwidth: 400 GB/s", "Storage: 1000 MB",
        "Free: 250 MB", "Battery: Not reported",
        "Source: What the computer reports; its model identifier is not known here",
      ])
    #expect(summary.storageUse == 0.75)
  }

  @Test("a computer that says nothing of its hardware is an unknown Mac, of which nothing is made up")
  func nothing() {
    let summary = ComputerSummary.make(InventoryRecord(id: .inventory("1"), values: [:]))
    #expect(
      summary.hardware.map { "\($0.label): \($0.value)" } == ["Model: Unknown Mac", "Battery: Not reported"])
    #expect(summary.storageUse == nil)
  }

  @Test("a known identifier tells the rest, a desktop's battery among it")
  func known() {
    let record = InventoryRecord(id: .inventory("1"), values: ["hardware.modelIdentifier": "Mac16,10"])
    #expect(
      ComputerSummary.make(record).hardware.map { "\($0.label): \($0.value)" } == [
        "Model: Mac mini (2024)", "Model identifier: Mac16,10", "Chip: M4", "CPU cores: 10", "GPU cores: 10",
        "Neural Engine cores: 16", "Memory bandwidth: 120 GB/s", "Battery: Not applicable",
        "Source: \(MacHardware.Confidence.high.text)",
      ])
  }

  @Test("a mobile device is told the same way")
  func mobileDevice() {
    let record = InventoryRecord(
      id: .inventory("1"),
      values: [
        "passcodePresent": "true", "jailBreakDetected": "true", "modelIdentifier": "iPad16,3",
        "capacityMb": "1024569", "usedSpacePercentage": "40", "batteryLevel": "7",
      ])
    let summary = MobileDeviceSummary.make(record)
    #expect(summary.security.first?.tone == .success)
    #expect(summary.security.first { $0.title == "Jailbreak" }?.tone == .error)
    #expect(
      summary.hardware.map(\.value) == [
        "iPad Pro 11-inch (M4)", "iPad16,3", "M4", "16 GB", "1001 GB", "7 %",
      ])
    #expect(summary.storageUse == 0.4)
  }

  @Test("catalogues have each key and label once, and hold all that their subjects name")
  func catalogues() {
    for subject in [SearchSubject.computers, .mobileDevices] {
      let keys = subject.catalogue.fields.map(\.key)
      #expect(Set(keys).count == keys.count)
      #expect(Set(subject.catalogue.fields.map(\.label)).count == keys.count)
      let named =
        subject.columns + subject.identityKeys + subject.basicKeys + [subject.nameKey, subject.idKey]
      #expect(named.allSatisfy { subject.catalogue[$0] != nil })
      #expect(subject.catalogue["prestageEnrollmentProfile"]?.query.serverName == nil)
    }
    let devices = SearchSubject.mobileDevices.catalogue
    #expect(devices["supervised"]?.query.type == .bool)
    #expect(devices["capacityMb"]?.query.type == .integer)
    #expect(devices["lastInventoryUpdateDate"]?.query.type == .date)
  }
}
