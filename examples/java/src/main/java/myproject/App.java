package myproject;

import com.pulumi.Context;
import com.pulumi.Pulumi;
import com.pulumi.core.Output;
import com.pulumi.deployment.InvokeOptions;
import com.pulumi.resources.CustomResourceOptions;
import io.github.replace_with_owner.domainmonitoring.DomainmonitoringFunctions;
import io.github.replace_with_owner.domainmonitoring.NotificationChannel;
import io.github.replace_with_owner.domainmonitoring.NotificationChannelArgs;
import io.github.replace_with_owner.domainmonitoring.Provider;
import io.github.replace_with_owner.domainmonitoring.ProviderArgs;
import io.github.replace_with_owner.domainmonitoring.enums.ChannelType;
import io.github.replace_with_owner.domainmonitoring.inputs.GetDnsChangesArgs;
import io.github.replace_with_owner.domainmonitoring.inputs.GetDomainArgs;
import io.github.replace_with_owner.domainmonitoring.inputs.RequireDomainExpiryArgs;
import java.util.Map;
import java.util.stream.Collectors;

public class App {
    public static void main(String[] args) {
        Pulumi.run(App::stack);
    }

    private static void stack(Context ctx) {
        var config = ctx.config();
        var slackUrl = config.requireSecret("slackUrl");

        // Lookup by name is experimental. If your service lacks it, pass `id` instead of `domain`.
        var domain = DomainmonitoringFunctions.getDomain(GetDomainArgs.builder()
            .domain(config.require("domainName"))
            .build());
        var domainId = domain.applyValue(found -> found.id());

        // Fails with one line if the registration does not last long enough. Channels that take the domain's id from its
        // result are then not created, even by an update without a preview.
        var expiry = DomainmonitoringFunctions.requireDomainExpiry(RequireDomainExpiryArgs.builder()
            .id(domainId)
            .minimumDays(30)
            .build());
        var checkedId = expiry.applyValue(found -> found.domainId());

        // The stack's own account: stack config `domain-monitoring:...`, or the environment.
        var onCall = new NotificationChannel("on-call", NotificationChannelArgs.builder()
            .domainId(checkedId)
            .label("On-call")
            .type(ChannelType.Slack)
            .value(slackUrl)
            .build());

        // A channel without a destination: omit `value`.
        var pager = new NotificationChannel("pager", NotificationChannelArgs.builder()
            .domainId(checkedId)
            .label("Pager")
            .type(ChannelType.Pushover)
            .whoisNotificationsEnabled(false)
            .build());

        var dns = DomainmonitoringFunctions.getDnsChanges(GetDnsChangesArgs.builder()
            .domainId(domainId)
            .limit(5)
            .build());

        // The other account. Everything without this provider uses the stack's own account.
        var subsidiary = new Provider("subsidiary", ProviderArgs.builder()
            .baseUrl(config.require("subsidiaryUrl"))
            .apiToken(config.requireSecret("subsidiaryToken"))
            .build());
        var subsidiaryDomain = DomainmonitoringFunctions.getDomain(
            GetDomainArgs.builder().domain(config.require("subsidiaryDomainName")).build(),
            InvokeOptions.builder().provider(subsidiary).build());
        var subsidiaryOnCall = new NotificationChannel("subsidiary-on-call",
            NotificationChannelArgs.builder()
                .domainId(subsidiaryDomain.applyValue(found -> found.id()))
                .label("On-call")
                .type(ChannelType.Slack)
                .value(slackUrl)
                .build(),
            CustomResourceOptions.builder().provider(subsidiary).build());

        ctx.export("channelIds", Output.of(Map.of(
            "onCall", onCall.id(),
            "pager", pager.id(),
            "subsidiary", subsidiaryOnCall.id())));
        ctx.export("expiresAt", Output.of(Map.of(
            "own", expiry.applyValue(found -> found.expiresAt()),
            "subsidiary", subsidiaryDomain.applyValue(found -> found.expiresAt()))));
        ctx.export("renewBy", expiry.applyValue(found -> found.actBy()));
        ctx.export("dnsChanges", dns.applyValue(found -> found.changes().stream()
            .flatMap(change -> change.changeSummary().stream())
            .collect(Collectors.toList())));
    }
}
