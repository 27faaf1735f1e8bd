// Shadows on the ground, the softer the higher the body that casts them.
in vec2 in_light;
uniform sampler2D ground_shadow;
uniform float opacity;
uniform float softness;     // texels of blur where the cover is far
uniform float texel;
out vec4 color;

void main() {
#ifdef QUICK
    // What BAKE found, for pictures of a movement drawn without a graphics card.
    color = vec4(0.0, 0.0, 0.0, opacity * texture(ground_shadow, in_light).r);
#elif defined(BAKE)
    // The same for every point of the light's picture instead of every pixel, with two looks instead of six.
    vec2 near = textureLod(ground_shadow, in_light, 4.0).rg;
    float blur = 1.2 + softness * near.g / max(near.r, 1e-4);
    color = vec4(textureLod(ground_shadow, in_light, log2(blur) + 0.5).r);
#else
    // What lies about here; the wide look finds covers whose blur reaches this far, and hardly counts beside near ones.
    vec2 near = textureLod(ground_shadow, in_light, 4.0).rg + 0.02 * textureLod(ground_shadow, in_light, 6.0).rg;
    float blur = 1.2 + softness * near.g / max(near.r, 1e-4);  // texels
    float level = log2(blur);
    vec2 step = blur * texel * vec2(0.7, 0.35);
    int taps = near.r > 0.0 ? 4 : 0;  // no branches in a software renderer, but loops that end early
    float sum = 0.0;
    for (int k = 0; k < taps; k++) {
        sum += textureLod(ground_shadow, in_light + step, level).r;
        step = vec2(-step.y, step.x);
    }
    color = vec4(0.0, 0.0, 0.0, 0.25 * opacity * sum);
#endif
}
