internal import ForsettiModuleKit

/// Draws the form for a new password of one local administrator of a Mac.
struct LocalPasswordView {
  let device: SupportDevice

  var nodes: [ViewNode] {
    guard device.kind == .computer, device.managementID != nil, let id = device.id else { return [] }
    let form = SupportView.form(
      "set-password",
      [
        SupportView.macField(id),
        ViewField(fieldID: "account", label: "Name of the account", kind: .text, isRequired: true),
        SupportConfirmation.localPasswordWord(id).field,
      ], submit: "Set a new password")
    return [
      .text("Password of a local administrator", style: .heading),
      .text(
        "For an account that Jamf Pro manages. The password is made here and shown once; the one before stops working "
          + "when the Mac has the new one.", style: .caption),
      form,
    ]
  }
}
