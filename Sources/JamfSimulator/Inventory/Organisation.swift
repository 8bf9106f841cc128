/// The made-up organisation whose devices these are. Its names are examples; none is of a real person or tenant.
enum Organisation {
  /// Where inventory stands still: 2026-11-01T08:00:00Z. What happens while the server runs is later.
  static let inventoryTime: Int64 = 1_793_520_000_000

  /// IDs are places in this list, from 1.
  static let departments = [
    "Accounting", "Design", "Engineering", "Facilities", "Human Resources", "Legal", "Marketing",
    "Operations",
    "Research", "Sales", "Support", "Teaching",
  ]
  static let buildings = [
    "Anchor House", "Harbour Office", "Mill Campus", "North Tower", "Old Library", "Quay 7",
  ]

  static let firstNames = [
    "Ada", "Amir", "Bea", "Chidi", "Dana", "Elif", "Emil", "Femi", "Gita", "Hana", "Ivo", "Jun", "Kofi",
    "Lena",
    "Mara", "Nils", "Olga", "Pia", "Quinn", "Rosa", "Sami", "Tala", "Uma", "Vera", "Wim", "Xenia", "Yara",
    "Zoe",
  ]
  static let lastNames = [
    "Abbott", "Becker", "Castillo", "Dahl", "Eriksen", "Fofana", "Grau", "Haddad", "Ito", "Jensen",
    "Kowalski",
    "Lindqvist", "Moreau", "Nakamura", "O'Brien", "Petrov", "Quist", "Rahman", "Silva", "Toth", "Ueda",
    "Varga",
    "Weiss", "Xu", "Yilmaz", "Zeller",
  ]
  static let positions = [
    "Analyst", "Assistant", "Consultant", "Director", "Engineer", "Lead", "Teacher", "Technician",
  ]
  static let vendors = ["Example Reseller", "Sample Systems", "Demo Devices"]

  /// Programs that computers have, most of them the first ones: name, bundle, version, megabytes.
  static let macApplications: [(name: String, bundle: String, version: String, megabytes: Int)] = [
    ("Safari", "com.apple.Safari", "26.1", 14), ("Mail", "com.apple.mail", "16.0", 24),
    ("Calendar", "com.apple.iCal", "16.0", 18), ("Keynote", "com.apple.Keynote", "14.4", 890),
    ("Numbers", "com.apple.Numbers", "14.4", 640), ("Pages", "com.apple.Pages", "14.4", 690),
    ("Self Service", "com.jamfsoftware.selfservice.mac", "11.20.1", 31),
    ("Sample Browser", "org.example.browser", "131.0", 412),
    ("Sample Chat", "org.example.chat", "4.41.2", 228),
    ("Sample Notes", "org.example.notes", "9.3", 77), ("Sample IDE", "org.example.ide", "2026.2", 2_140),
    ("Sample VPN", "org.example.vpn", "7.0.3", 55), ("Sample Backup", "org.example.backup", "3.2.1", 61),
  ]
  static let mobileApplications: [(name: String, bundle: String, version: String, megabytes: Int)] = [
    ("Self Service", "com.jamfsoftware.selfservice", "11.3.1", 22),
    ("Keynote", "com.apple.Keynote", "14.4", 480),
    ("Sample Reader", "org.example.reader", "5.1", 96), ("Sample Maths", "org.example.maths", "2.8.4", 133),
    ("Sample Tickets", "org.example.tickets", "1.12", 64), ("Sample Chat", "org.example.chat", "24.10", 181),
  ]
  static let configurationProfiles = [
    "Wi-Fi", "Restrictions", "Certificates", "Login Window", "Privacy Preferences",
  ]
}

/// A model of computer, with what all of it have in common.
struct MacModel: Sendable {
  var name: String
  var identifier: String
  var chip: String
  var cores: Int
  /// Gigabytes that one can order.
  var memory: [Int]
  var isPortable: Bool
  var isAppleSilicon = true

  /// `MacBook Air` of `MacBook Air (13-inch, M2, 2022)`.
  var family: String { name.split(separator: " (").first.map(String.init) ?? name }

  static let all = [
    MacModel(
      name: "MacBook Air (13-inch, M2, 2022)", identifier: "Mac14,2", chip: "Apple M2", cores: 8,
      memory: [8, 16, 24], isPortable: true),
    MacModel(
      name: "MacBook Air (13-inch, M3, 2024)", identifier: "Mac15,12", chip: "Apple M3", cores: 8,
      memory: [8, 16, 24], isPortable: true),
    MacModel(
      name: "MacBook Air (15-inch, M4, 2025)", identifier: "Mac16,13", chip: "Apple M4", cores: 10,
      memory: [16, 24, 32], isPortable: true),
    MacModel(
      name: "MacBook Pro (14-inch, M3 Pro, Nov 2023)", identifier: "Mac15,6", chip: "Apple M3 Pro", cores: 12,
      memory: [18, 36], isPortable: true),
    MacModel(
      name: "MacBook Pro (16-inch, M4 Max, 2024)", identifier: "Mac16,5", chip: "Apple M4 Max", cores: 16,
      memory: [48, 64, 128], isPortable: true),
    MacModel(
      name: "iMac (24-inch, M3, 2023)", identifier: "Mac15,5", chip: "Apple M3", cores: 8,
      memory: [8, 16, 24], isPortable: false),
    MacModel(
      name: "Mac mini (2023)", identifier: "Mac14,3", chip: "Apple M2", cores: 8, memory: [8, 16, 24],
      isPortable: false),
    MacModel(
      name: "Mac Studio (2025)", identifier: "Mac15,14", chip: "Apple M3 Ultra", cores: 32,
      memory: [96, 256], isPortable: false),
    MacModel(
      name: "MacBook Pro (16-inch, 2019)", identifier: "MacBookPro16,1", chip: "Intel Core i9", cores: 8,
      memory: [16, 32], isPortable: true, isAppleSilicon: false),
  ]
}

/// A model of phone or tablet.
struct MobileModel: Sendable {
  var name: String
  var identifier: String
  var number: String
  /// Gigabytes that one can buy.
  var capacities: [Int]
  var isPhone: Bool

  static let all = [
    MobileModel(
      name: "iPad (10th generation)", identifier: "iPad13,18", number: "MPQ03", capacities: [64, 256],
      isPhone: false),
    MobileModel(
      name: "iPad Air (5th generation)", identifier: "iPad13,16", number: "MM9C3", capacities: [64, 256],
      isPhone: false),
    MobileModel(
      name: "iPad mini (6th generation)", identifier: "iPad14,1", number: "MK7M3", capacities: [64, 256],
      isPhone: false),
    MobileModel(
      name: "iPad Pro 11-inch (M4)", identifier: "iPad16,3", number: "MVV83", capacities: [256, 512, 1_024],
      isPhone: false),
    MobileModel(
      name: "iPhone 14", identifier: "iPhone14,7", number: "MPUF3", capacities: [128, 256], isPhone: true),
    MobileModel(
      name: "iPhone 15 Pro", identifier: "iPhone16,1", number: "MTUV3", capacities: [128, 256, 512],
      isPhone: true),
    MobileModel(
      name: "iPhone SE (3rd generation)", identifier: "iPhone14,6", number: "MMX53", capacities: [64, 128],
      isPhone: true),
  ]
}

/// A release of a system.
struct SystemRelease: Sendable {
  var version: String
  var build: String

  static let mac = [
    SystemRelease(version: "13.7.8", build: "22H730"), SystemRelease(version: "14.8.1", build: "23J30"),
    SystemRelease(version: "15.6.1", build: "24G90"), SystemRelease(version: "15.7.2", build: "24G325"),
    SystemRelease(version: "26.1", build: "25B78"),
  ]
  static let mobile = [
    SystemRelease(version: "16.7.12", build: "20H364"), SystemRelease(version: "17.7.2", build: "21H221"),
    SystemRelease(version: "18.6.2", build: "22G100"), SystemRelease(version: "26.1", build: "23B85"),
  ]
}
