/// The names that the demo's data are made of.
enum DeploymentSeedLists {
  /// A model as it can be bought.
  struct Model: Sendable, Hashable {
    var name: String
    var partNumber: String
  }

  static let projects: [DeploymentProject] = [
    DeploymentProject(
      id: "REFRESH-26", name: "Laptop refresh 2026",
      rules: [
        .businessCheck, .expectedServer, .quality, .preload, .reconciliation, .serviceDesk, .shipping,
        .delivery,
      ]),
    DeploymentProject(
      id: "CLASSROOM", name: "Classroom tablets",
      rules: [.businessCheck, .quality, .preload, .reconciliation, .serviceDesk, .delivery]),
    DeploymentProject(
      id: "FIELD", name: "Field phones",
      rules: [.businessCheck, .expectedServer, .preload, .serviceDesk, .shipping, .delivery]),
    DeploymentProject(
      id: "KIOSK", name: "Kiosk displays", rules: [.quality, .preload, .shipping, .delivery]),
    DeploymentProject(
      id: "EXEC", name: "Executive desk",
      rules: [
        .businessCheck, .quality, .preload, .reconciliation, .serviceDesk, .shipping, .delivery, .review,
        .completionWithWarnings,
      ]),
    DeploymentProject(
      id: "LOANER", name: "Loaner pool", rules: [.quality, .preload, .reconciliation]),
  ]

  static let regions = ["North", "South", "East", "West", "Central", "Overseas"]
  static let locations = ["Dock A", "Dock B", "Lab 1", "Lab 2", "Warehouse", "Head office"]
  static let departments = [
    "Design", "Engineering", "Field service", "Finance", "People", "Sales", "Support", "Teaching",
  ]
  static let profiles = ["Standard", "Developer", "Classroom", "Kiosk", "Executive"]
  static let vendors = [
    "Example Reseller", "Example Direct", "Sample Trade", "Sample Leasing", "Demo Wholesale", "Demo Retail",
    "Placeholder Parts", "Placeholder Import",
  ]
  static let findings = [
    "The box is damaged", "The asset tag can't be read", "The charger is missing",
    "The model differs from the order",
  ]

  /// Twenty models that can be ordered: those of the demo's devices, and others.
  static var catalogue: [DeploymentHistory.CatalogueEntry] {
    DeploymentDevice.Kind.allCases.flatMap { kind in
      (models(of: kind) + otherModels(of: kind)).map {
        DeploymentHistory.CatalogueEntry(kind: kind, model: $0)
      }
    }
  }

  private static func otherModels(of kind: DeploymentDevice.Kind) -> [Model] {
    switch kind {
    case .mac:
      [
        Model(name: "iMac 24-inch", partNumber: "DEMO-IMAC24"),
        Model(name: "Mac Studio", partNumber: "DEMO-STUDIO"),
        Model(name: "Mac Pro", partNumber: "DEMO-PRO"),
      ]
    case .iPad:
      [
        Model(name: "iPad mini", partNumber: "DEMO-IPADMINI"),
        Model(name: "iPad Air 13-inch", partNumber: "DEMO-IPADAIR13"),
        Model(name: "iPad Pro 13-inch", partNumber: "DEMO-IPADPRO13"),
      ]
    case .iPhone:
      [
        Model(name: "iPhone 15", partNumber: "DEMO-IPHONE15"),
        Model(name: "iPhone 16 Plus", partNumber: "DEMO-IPHONE16PLUS"),
        Model(name: "iPhone 16 Pro", partNumber: "DEMO-IPHONE16PRO"),
        Model(name: "iPhone 16 Pro Max", partNumber: "DEMO-IPHONE16MAX"),
      ]
    }
  }

  /// What a kind of device is sold as.
  static func models(of kind: DeploymentDevice.Kind) -> [Model] {
    switch kind {
    case .mac:
      [
        Model(name: "MacBook Air 13-inch", partNumber: "DEMO-MBA13"),
        Model(name: "MacBook Air 15-inch", partNumber: "DEMO-MBA15"),
        Model(name: "MacBook Pro 14-inch", partNumber: "DEMO-MBP14"),
        Model(name: "MacBook Pro 16-inch", partNumber: "DEMO-MBP16"),
        Model(name: "Mac mini", partNumber: "DEMO-MINI"),
      ]
    case .iPad:
      [
        Model(name: "iPad", partNumber: "DEMO-IPAD"), Model(name: "iPad Air", partNumber: "DEMO-IPADAIR"),
        Model(name: "iPad Pro 11-inch", partNumber: "DEMO-IPADPRO11"),
      ]
    case .iPhone:
      [
        Model(name: "iPhone 16", partNumber: "DEMO-IPHONE16"),
        Model(name: "iPhone 16e", partNumber: "DEMO-IPHONE16E"),
      ]
    }
  }
}
