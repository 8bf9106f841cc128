internal import ForsettiModuleKit

/// Draws the form for a new password of one local administrator of a Mac.
struct LocalPasswordView {
  let device: SupportDevice

  var nodes: [ViewNode] {
    guard device.kind == .computer, device.managementID != nil, let id = device.id else { return [] }
    let form = ViewForm(
      fields: [
        ViewField(
          fieldID: "device", label: "Mac", kind: .choice([id.text]), value: id.text, isRequired: true),
        ViewField(fieldID: "account", label: "Name of the account", kind: .text, isRequired: true),
        SupportConfirmation.localPasswordWord(id).field,
      ],
      submitTitle: "Set a new password",
      eventType: ModuleDesk.type("set-password", of: SupportTechnicianManifest.manifest.moduleID))
    return [
      .text("Password of a local administrator", style: .heading),
      .text(
        "For an account that Jamf Pro manages. The password is made here and shown once; the one before stops working "
          + "when the Mac has the new one.", style: .caption),
      .form(form),
    ]
  }
}
