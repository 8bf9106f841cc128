/// An order to a device, and what becomes of it. Nothing runs: where it stands follows from when it was sent.
struct MDMCommand: Sendable, Equatable {
  enum State: String, Sendable {
    case pending = "PENDING"
    case acknowledged = "ACKNOWLEDGED"
    case notNow = "NOT_NOW"
    case error = "ERROR"
  }

  enum ClientType: String, Sendable {
    case computer = "COMPUTER"
    case mobileDevice = "MOBILE_DEVICE"
  }

  /// What a device does with an order. It is the device's way, so that a test or a demo can choose.
  enum Fate: Sendable, Equatable {
    /// Does it.
    case obeys
    /// Is busy at first, and does it later.
    case hesitates
    /// Says that it cannot.
    case fails

    /// Of ten devices one hesitates, of twenty one fails.
    init(device number: Int) { self = number % 20 == 13 ? .fails : number % 10 == 7 ? .hesitates : .obeys }
  }

  /// Milliseconds until a device answers, and until one that was busy does it.
  static let answerTime: Int64 = 4_000
  static let retryTime: Int64 = 20_000

  var uuid: String
  var managementID: String
  /// ID of the device in its inventory.
  var device: Int
  var clientType: ClientType
  var type: MDMCommandType
  var fate: Fate
  /// Milliseconds since 1970.
  var sent: Int64

  /// Where it stands.
  func state(at now: Int64) -> State {
    switch fate {
    case _ where now < sent + Self.answerTime: .pending
    case .obeys: .acknowledged
    case .fails: .error
    case .hesitates: now < sent + Self.retryTime ? .notNow : .acknowledged
    }
  }

  /// When its state is the last one.
  var settles: Int64 { sent + (fate == .hesitates ? Self.retryTime : Self.answerTime) }
}

/// The orders that the server knows, and who may give them.
enum MDMCommandType: String, Sendable, CaseIterable {
  case deviceLock = "DEVICE_LOCK"
  case eraseDevice = "ERASE_DEVICE"
  case restartDevice = "RESTART_DEVICE"
  case shutDownDevice = "SHUT_DOWN_DEVICE"
  case logOutUser = "LOG_OUT_USER"
  case clearPasscode = "CLEAR_PASSCODE"
  case enableLostMode = "ENABLE_LOST_MODE"
  case disableLostMode = "DISABLE_LOST_MODE"
  case playLostModeSound = "PLAY_LOST_MODE_SOUND"
  case deviceLocation = "DEVICE_LOCATION"
  case clearRestrictionsPassword = "CLEAR_RESTRICTIONS_PASSWORD"
  case refreshCellularPlans = "REFRESH_CELLULAR_PLANS"
  case settings = "SETTINGS"
  case installedApplicationList = "INSTALLED_APPLICATION_LIST"
  case enableRemoteDesktop = "ENABLE_REMOTE_DESKTOP"
  case disableRemoteDesktop = "DISABLE_REMOTE_DESKTOP"
  case declarativeManagement = "DECLARATIVE_MANAGEMENT"
  // These the Classic API alone takes, by these names.
  case updateInventory = "UpdateInventory"
  case bluetoothOn = "SettingsEnableBluetooth"
  case bluetoothOff = "SettingsDisableBluetooth"
  case wifiOn = "SettingsEnableWifi"
  case wifiOff = "SettingsDisableWifi"

  /// Those that both APIs take, by the Classic API's name.
  private static let classicNames: [(MDMCommandType, String)] = [
    (.restartDevice, "RestartDevice"), (.shutDownDevice, "ShutDownDevice"), (.clearPasscode, "ClearPasscode"),
    (.disableLostMode, "DisableLostMode"), (.playLostModeSound, "PlayLostModeSound"),
    (.deviceLocation, "DeviceLocation"), (.enableRemoteDesktop, "EnableRemoteDesktop"),
    (.disableRemoteDesktop, "DisableRemoteDesktop"),
  ]

  /// An order by the Classic API's name for it.
  init?(classic name: String) {
    if let both = Self.classicNames.first(where: { $0.1 == name }) {
      self = both.0
    } else if let type = Self(rawValue: name), type.isClassic {
      self = type
    } else {
      return nil
    }
  }

  /// Whether the Classic API alone takes it.
  var isClassic: Bool {
    switch self {
    case .updateInventory, .bluetoothOn, .bluetoothOff, .wifiOn, .wifiOff: true
    default: false
    }
  }

  /// What the Classic API's histories call it.
  var classicName: String { Self.classicNames.first { $0.0 == self }?.1 ?? rawValue }

  /// Whom it is for.
  func suits(_ client: MDMCommand.ClientType) -> Bool {
    switch self {
    case .deviceLock, .eraseDevice, .restartDevice, .shutDownDevice, .settings, .declarativeManagement: true
    case .updateInventory, .bluetoothOn, .bluetoothOff, .wifiOn, .wifiOff: true
    case .logOutUser, .enableRemoteDesktop, .disableRemoteDesktop: client == .computer
    case .clearPasscode, .enableLostMode, .disableLostMode, .playLostModeSound, .deviceLocation,
      .clearRestrictionsPassword, .refreshCellularPlans, .installedApplicationList:
      client == .mobileDevice
    }
  }

  /// What whoever gives it must hold, beside the right to see orders.
  func privilege(for client: MDMCommand.ClientType) -> Privilege {
    switch self {
    case .deviceLock: client == .computer ? .lockComputers : .lockMobileDevices
    case .eraseDevice: client == .computer ? .wipeComputers : .wipeMobileDevices
    case .restartDevice: .restartDevices
    case .shutDownDevice: .shutDownDevices
    case .enableRemoteDesktop, .disableRemoteDesktop: .desktopComputers
    case .clearPasscode: .clearPasscodes
    case .clearRestrictionsPassword: .clearRestrictions
    case .enableLostMode, .disableLostMode, .playLostModeSound, .deviceLocation: .loseDevices
    case .refreshCellularPlans: .refreshCellularPlans
    case .installedApplicationList: .sendInventory
    case .bluetoothOn, .bluetoothOff: client == .computer ? .bluetoothComputers : .bluetoothMobileDevices
    case .updateInventory: client == .computer ? .sendCheckIn : .sendInventory
    case .logOutUser, .settings, .declarativeManagement, .wifiOn, .wifiOff: .sendCheckIn
    }
  }
}
