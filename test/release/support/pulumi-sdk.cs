// The parts of the SDK for .NET that a generated SDK and the samples use, as declarations alone: the compiler of Mono cannot read
// the assembly of the real one.
using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace System.Collections.Immutable
{
    public struct ImmutableArray<T> { }
    public class ImmutableDictionary<TKey, TValue> { }
}

namespace Pulumi
{
    public class Output<T>
    {
        public Output<TResult> Apply<TResult>(Func<T, TResult> map) { return null; }
        public Output<TResult> Apply<TResult>(Func<T, Input<TResult>> map) { return null; }
    }

    public static class Output
    {
        public static Output<T> Create<T>(T value) { return null; }
        public static Output<T> CreateSecret<T>(T value) { return null; }
        public static Output<Tuple<T1, T2>> Tuple<T1, T2>(Input<T1> first, Output<T2> second) { return null; }
    }

    public class Input<T>
    {
        public static implicit operator Input<T>(T value) { return null; }
        public static implicit operator Input<T>(Output<T> value) { return null; }
    }

    public class InputUnion<T1, T2>
    {
        public static implicit operator InputUnion<T1, T2>(T1 value) { return null; }
        public static implicit operator InputUnion<T1, T2>(T2 value) { return null; }
        public static implicit operator InputUnion<T1, T2>(Output<T1> value) { return null; }
        public static implicit operator InputUnion<T1, T2>(Output<T2> value) { return null; }
    }

    public class InputList<T> : Input<System.Collections.Immutable.ImmutableArray<T>>, System.Collections.IEnumerable
    {
        public void Add(params Input<T>[] values) { }
        public System.Collections.IEnumerator GetEnumerator() { return null; }
        public static implicit operator InputList<T>(T[] values) { return null; }
        public static implicit operator InputList<T>(List<T> values) { return null; }
    }

    public class InputMap<T> : Input<System.Collections.Immutable.ImmutableDictionary<string, T>>, System.Collections.IEnumerable
    {
        public void Add(string key, Input<T> value) { }
        public System.Collections.IEnumerator GetEnumerator() { return null; }
    }

    public class Resource { }
    public class ResourceOptions
    {
        public string Version, PluginDownloadURL;
        public Input<string> Id;
        public List<Input<Alias>> Aliases = new List<Input<Alias>>();
        public List<string> AdditionalSecretOutputs = new List<string>(), IgnoreChanges = new List<string>(), ReplaceOnChanges = new List<string>();
        public ProviderResource Provider;
        public bool Protect;
    }
    public class CustomResourceOptions : ResourceOptions
    {
        public string ImportId;
        public static CustomResourceOptions Merge(CustomResourceOptions a, CustomResourceOptions b) { return a; }
    }
    public class ComponentResourceOptions : ResourceOptions
    {
        public List<ProviderResource> Providers = new List<ProviderResource>();
        public static ComponentResourceOptions Merge(ComponentResourceOptions a, ComponentResourceOptions b) { return a; }
    }
    public class Alias { public string Type, Name; }
    public class ResourceArgs { public static ResourceArgs Empty { get { return null; } } }
    public class InvokeArgs { public static InvokeArgs Empty { get { return null; } } }
    public class InvokeOptions { public string Version, PluginDownloadURL; public ProviderResource Provider; }
    public class InvokeOutputOptions : InvokeOptions { }
    public class CustomResource : Resource
    {
        public Output<string> Id { get { return null; } }
        public CustomResource(string type, string name, ResourceArgs args, CustomResourceOptions options) { }
    }
    public class ProviderResource : CustomResource
    {
        public ProviderResource(string package, string name, ResourceArgs args, CustomResourceOptions options) : base(package, name, args, options) { }
    }
    public class ComponentResource : Resource
    {
        public ComponentResource(string type, string name, ResourceArgs args, ComponentResourceOptions options, bool remote) { }
    }
    public class Deployment
    {
        public static Deployment Instance { get { return null; } }
        public Task<T> InvokeAsync<T>(string token, InvokeArgs args, InvokeOptions options) { return null; }
        public Output<T> Invoke<T>(string token, InvokeArgs args, InvokeOptions options) { return null; }
        public Task InvokeAsync(string token, InvokeArgs args, InvokeOptions options) { return null; }
        public static Task<int> RunAsync(Func<IDictionary<string, object>> program) { return null; }
    }
    public class Config
    {
        public Config(string name = null) { }
        public string Get(string key) { return null; }
        public string Require(string key) { return null; }
        public Output<string> GetSecret(string key) { return null; }
        public Output<string> RequireSecret(string key) { return null; }
        public int? GetInt32(string key) { return null; }
        public double? GetDouble(string key) { return null; }
        public T GetObject<T>(string key) { return default(T); }
    }
    [AttributeUsage(AttributeTargets.All)]
    public class EnumTypeAttribute : Attribute { }
    public class ResourceTypeAttribute : Attribute { public ResourceTypeAttribute(string type, string version) { } }
}

namespace Pulumi.Serialization
{
    public class InputAttribute : Attribute { public InputAttribute(string name, bool required = false, bool json = false) { } }
    public class OutputAttribute : Attribute { public OutputAttribute(string name = null) { } }
    public class OutputTypeAttribute : Attribute { }
    public class OutputConstructorAttribute : Attribute { }
}
